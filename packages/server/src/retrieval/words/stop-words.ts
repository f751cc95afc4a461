/**
 * Words that carry no meaning of their own. They count only when a query has nothing else. "user"
 * is among them because agents ask about "the user" whoever it is.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the of in on at to for and or is are was were be been do does did has have had i you he she
  it we they his her its their my your our me him them us this that these those with by as from what
  when where who whom whose which how why will would can could should about into than then there
  here not no so if but up out just s t re ve ll d m user`.split(/\s+/),
)
