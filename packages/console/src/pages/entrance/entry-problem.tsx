// What went wrong with a new account or a one-time link. Sent again after a lost answer, both would be refused:
// the account is there by then, and the link is used up.
import { Link } from '@tanstack/react-router'
import { isDoubtful } from '../../api/client.ts'
import { Problem } from '../../components/states.tsx'

export const EntryProblem = ({ error }: { error: Error }) => (
  <>
    <Problem error={error} />
    {isDoubtful(error) && (
      <p>
        It may be done all the same: then <Link to="/sign-in">sign in</Link> with this password.
      </p>
    )}
  </>
)
