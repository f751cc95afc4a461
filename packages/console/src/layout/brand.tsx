export const Brand = () => (
  <span className="brand">
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M9 22 16 10l7 12" fill="none" stroke="var(--on-accent)" strokeWidth="2" />
      <g fill="var(--on-accent)">
        <circle cx="16" cy="10" r="3.6" />
        <circle cx="9" cy="22" r="3" />
        <circle cx="23" cy="22" r="3" />
      </g>
    </svg>
    Mnemograph
  </span>
)
