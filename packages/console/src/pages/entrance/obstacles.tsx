// What keeps a visitor from signing in, said before they type anything.
import { Entrance } from '../../layout/entrance.tsx'

export const NeedsSetUp = () => (
  <Entrance title="Set up the console" lead="There is no account yet.">
    <p>
      The first start printed a link that creates the first account. Open it within 30 minutes, or
      print a fresh one where the server runs:
    </p>
    <pre className="code-line">
      <code>npx mnemograph accounts setup-link</code>
    </pre>
  </Entrance>
)

/** Without a form: the server would refuse the password, but only after it has travelled unencrypted. */
export const UnsafeConnection = () => (
  <Entrance title="This connection is not encrypted">
    <p>
      Nobody can sign in over it, since a password could be read on its way. Open the console over
      https, or on the machine itself under <code>http://127.0.0.1</code>.
    </p>
    <p className="quiet small">
      If its address begins with https, the server does not know of the proxy in front of it:{' '}
      <code>MNEMOGRAPH_TRUSTED_PROXIES</code> names it.
    </p>
  </Entrance>
)

/** A session is a cookie: without cookies the right password would only lead back to the sign-in page. */
export const NoCookies = () => (
  <Entrance title="This browser refuses cookies">
    <p>
      The console needs one, which keeps you signed in and is gone when you sign out. Allow cookies
      for this address, and load the page anew.
    </p>
  </Entrance>
)
