// Sessions of the console: found by the hash of their cookie alone, gone when they end.
import { SESSION_COLUMNS, type SessionRow, toSession } from '../../console-rows.ts'
import type { SessionRecord, ShownSession } from '../../console-store.ts'
import type { Connection } from '../opening/open-database.ts'

export function sessionReads(db: Connection) {
  const byHash = db.prepare<[Buffer], SessionRow>(
    `SELECT ${SESSION_COLUMNS} FROM sessions WHERE token_hash = ?`,
  )
  const ofAccount = db.prepare<[string], SessionRow>(
    `SELECT ${SESSION_COLUMNS} FROM sessions WHERE account_id = ? ORDER BY created_at DESC, id DESC`,
  )
  return {
    findByHash(hash: Buffer): ShownSession | undefined {
      const row = byHash.get(hash)
      return row && toSession(row)
    },
    list: (accountId: string): ShownSession[] => ofAccount.all(accountId).map(toSession),
  }
}

export function sessionWrites(db: Connection) {
  const insert = db.prepare(
    `INSERT INTO sessions
       (id, account_id, token_hash, created_at, last_seen_at, ends_at, address, user_agent)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const touch = db.prepare<[number, string]>(
    'UPDATE sessions SET last_seen_at = MAX(last_seen_at, ?) WHERE id = ?',
  )
  const end = db.prepare<[string, string]>('DELETE FROM sessions WHERE account_id = ? AND id = ?')
  const endOthers = db.prepare<[string, string]>(
    'DELETE FROM sessions WHERE account_id = ? AND id <> ?',
  )
  const endAll = db.prepare<[string]>('DELETE FROM sessions WHERE account_id = ?')
  const expire = db.prepare<[number, number]>(
    'DELETE FROM sessions WHERE ends_at < ? OR last_seen_at < ?',
  )
  return {
    insert(session: SessionRecord): void {
      insert.run(
        session.id,
        session.accountId,
        // Across threads a Buffer arrives as a plain array of bytes.
        Buffer.from(session.tokenHash),
        session.createdAt,
        session.lastSeenAt,
        session.endsAt,
        session.address,
        session.userAgent,
      )
    },
    touch(id: string, lastSeenAt: number): void {
      touch.run(lastSeenAt, id)
    },
    end: (accountId: string, id: string): boolean => end.run(accountId, id).changes === 1,
    endOthers(accountId: string, id: string): void {
      endOthers.run(accountId, id)
    },
    endAll(accountId: string): void {
      endAll.run(accountId)
    },
    expire(before: { lastSeenAt: number; endsAt: number }): void {
      expire.run(before.endsAt, before.lastSeenAt)
    },
  }
}
