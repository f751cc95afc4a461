// How the reference page looks. Colours keep a contrast of 4.5 to 1 in light and in dark.

export const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#ffffff, #12161a);
  --panel: light-dark(#f5f7f8, #191f25);
  --line: light-dark(#dfe4e7, #2b343c);
  --text: light-dark(#1b2328, #dfe5e9);
  --quiet: light-dark(#55636c, #9aa8b2);
  --accent: light-dark(#0f766e, #4fd1c0);
  --get: light-dark(#1d5fa8, #7ab8f5);
  --post: light-dark(#197341, #6fd394);
  --delete: light-dark(#b02a30, #ff8d8d);
  --literal: light-dark(#96500b, #f0b266);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
* { box-sizing: border-box }
html { scroll-behavior: smooth; scroll-padding-top: 1rem }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif }
a { color: var(--accent); text-underline-offset: .15em }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px }
code, pre { font-family: var(--mono); font-size: .86em }
p { margin: .6em 0 }
.skip { position: absolute; left: -999px }
.skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: .5rem; z-index: 1 }
nav { padding: 1.5rem 1.25rem; border-bottom: 1px solid var(--line); font-size: .92rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav h2 { font-size: .92rem; margin: 1.1rem 0 .2rem }
nav h2 a { color: inherit; text-decoration: none }
nav li a { display: flex; justify-content: space-between; align-items: center; gap: .5rem;
  padding: .22rem .5rem; margin: 0 -.5rem; border-radius: 5px; color: var(--quiet);
  text-decoration: none }
nav li a:hover { background: var(--panel); color: var(--text) }
nav .method { font-size: .68rem }
.brand { font-weight: 650; font-size: 1.1rem; margin: 0 0 .8rem }
.brand span { font-weight: 400; font-size: .85rem; color: var(--quiet) }
main { padding: 1.5rem 1.25rem 5rem; max-width: 90rem }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 }
main > h2 { font-size: 1.5rem; margin: 3.5rem 0 0; padding-top: 1.2rem;
  border-top: 1px solid var(--line) }
h3 { font-size: 1.2rem; margin: 0 }
h4 { font-size: .95rem; margin: 1.3rem 0 .2rem }
.lead { font-size: 1.15rem; color: var(--quiet); margin: .2rem 0 1.2rem }
header, main > p { max-width: 46rem }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 0 0 1.2rem }
.facts > div { display: contents }
.facts dt { color: var(--quiet) }
.facts dd { margin: 0; overflow-wrap: anywhere }
.operation { padding: 1.6rem 0 1.4rem; display: grid; gap: 1rem 2.5rem; min-width: 0 }
.operation + .operation { border-top: 1px solid var(--line) }
.operation > div { min-width: 0 }
.address { margin: .3rem 0 .8rem; overflow-wrap: anywhere }
.method { font: 600 .78rem var(--mono); letter-spacing: .02em; color: var(--quiet) }
.get { color: var(--get) } .post { color: var(--post) } .delete { color: var(--delete) }
.fields { margin: 0; border-top: 1px solid var(--line) }
.fields > div { padding: .45rem 0; border-bottom: 1px solid var(--line) }
.fields dt code { font-weight: 600 }
.fields dd { margin: 0; color: var(--quiet); font-size: .92rem }
.type { color: var(--quiet); font-size: .82rem }
.type b { color: var(--accent); font-weight: 500 }
.wide { max-width: 60rem; margin-top: 1rem }
details { margin-top: 1.2rem }
summary { cursor: pointer; font-weight: 600; font-size: .95rem }
.codes { font: .78rem/1.9 var(--mono); margin: 0 }
.codes a { color: var(--quiet); margin-right: .5rem; white-space: nowrap }
figure { margin: 0 0 1.4rem }
figcaption { font-size: .88rem; color: var(--quiet); margin-bottom: .35rem }
pre { margin: 0; padding: .85rem 1rem; background: var(--panel); border: 1px solid var(--line);
  white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; font-size: .8rem; border-radius: 0 0 8px 8px; position: relative }
pre code { font-size: inherit }
.request { border-radius: 8px 8px 0 0; border-bottom: 0; background: transparent }
.status { position: absolute; right: .8rem; top: .7rem; color: var(--post) }
.key { color: var(--get) } .text { color: var(--post) } .literal { color: var(--literal) }
pre i { font-style: normal }
.scroll { overflow-x: auto; margin-top: 1rem }
table { border-collapse: collapse; font-size: .92rem; width: 100%; max-width: 60rem }
th, td { text-align: left; vertical-align: top; padding: .45rem .9rem .45rem 0;
  border-bottom: 1px solid var(--line) }
thead th { color: var(--quiet); font-weight: 500 }
tbody th { font-weight: 600; white-space: nowrap }
tr:target { background: var(--panel) }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 16.5rem minmax(0, 1fr) }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border-bottom: 0;
    border-right: 1px solid var(--line) }
  main { padding: 2.2rem 3rem 6rem }
}
@media (min-width: 78rem) {
  .operation { grid-template-columns: minmax(0, 1fr) minmax(0, 1.05fr) }
  .shown { position: sticky; top: 1rem; align-self: start }
}
@media print { nav { display: none } body { display: block } details::details-content { content-visibility: visible } }
`
