// The stylesheet of the sandbox's pages: a ledger on paper, in light and dark.

export const consoleStyles = `
:root {
  color-scheme: light dark;
  --paper: light-dark(oklch(0.985 0.006 85), oklch(0.2 0.008 85));
  --sheet: light-dark(oklch(0.955 0.01 85), oklch(0.25 0.01 85));
  --ink: light-dark(oklch(0.25 0.012 75), oklch(0.93 0.008 85));
  --quiet: light-dark(oklch(0.44 0.014 75), oklch(0.76 0.012 85));
  --hairline: light-dark(oklch(0.87 0.012 85), oklch(0.36 0.012 85));
  --control: light-dark(oklch(0.6 0.014 75), oklch(0.6 0.014 85));
  --accent: light-dark(oklch(0.42 0.08 195), oklch(0.8 0.09 195));
  --good: light-dark(oklch(0.42 0.1 150), oklch(0.8 0.12 150));
  --bad: light-dark(oklch(0.45 0.16 27), oklch(0.78 0.12 27));
  --attention: light-dark(oklch(0.93 0.06 85), oklch(0.33 0.05 85));
}
* { box-sizing: border-box; }
body {
  margin: 0;
  padding-block-end: 64px;
  background: var(--paper);
  color: var(--ink);
  font: 17px/1.5 system-ui, sans-serif;
  font-variant-numeric: tabular-nums;
}
header, main { max-inline-size: 62rem; margin-inline: auto; padding-inline: 24px; }
.banner { max-inline-size: none; margin: 0; padding: 8px 24px; background: var(--attention); font-size: 14px; }
h1 { margin: 40px 0 8px; font-size: 29px; line-height: 1.2; letter-spacing: -0.01em; text-wrap: balance; }
h2 { margin: 56px 0 12px; font-size: 20px; line-height: 1.3; }
h3 { margin: 28px 0 8px; font-size: 17px; }
p { margin: 0 0 8px; max-inline-size: 62ch; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 3px; }
nav { display: flex; flex-wrap: wrap; gap: 4px 20px; margin-block-start: 16px; }
nav a { padding-block: 4px; }
section { scroll-margin-block-start: 16px; }
.ledger { margin: 0; padding: 0; list-style: none; }
.ledger > li {
  display: grid;
  grid-template-columns: 12rem minmax(0, 1fr);
  gap: 4px 24px;
  padding-block: 12px;
  border-block-start: 1px solid var(--hairline);
}
.ledger > li:last-child { border-block-end: 1px solid var(--hairline); }
.ledger > li:target { background: var(--sheet); }
.ledger p { max-inline-size: none; margin-block-end: 4px; overflow-wrap: anywhere; }
.ledger time { color: var(--quiet); font-size: 14px; line-height: 25px; white-space: nowrap; }
abbr { text-decoration: none; }
.note { color: var(--quiet); font-size: 14px; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
code, pre { font: 14px/1.5 ui-monospace, monospace; }
pre {
  max-block-size: 32rem;
  margin: 8px 0;
  padding: 12px 16px;
  overflow: auto;
  background: var(--sheet);
  border-radius: 8px;
}
summary { inline-size: fit-content; padding-block: 4px; color: var(--quiet); font-size: 14px; cursor: pointer; }
.levers, .row { display: flex; flex-wrap: wrap; align-items: end; gap: 12px; margin-block: 8px; }
.levers form { display: flex; align-items: center; gap: 8px; }
label { font-size: 14px; font-weight: 600; }
.row label { display: grid; gap: 6px; }
button, select, input {
  max-inline-size: 100%;
  min-block-size: 44px;
  padding: 4px 14px;
  border: 1.5px solid var(--control);
  border-radius: 8px;
  background: var(--paper);
  color: inherit;
  font: inherit;
  font-size: 16px;
}
button { font-weight: 600; cursor: pointer; }
button:hover, select:hover, input:hover { border-color: var(--ink); }
button:disabled { color: var(--quiet); border-style: dashed; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.scroll { overflow-x: auto; }
table { inline-size: 100%; border-collapse: collapse; font-size: 16px; }
th, td { padding: 8px 16px 8px 0; border-block-end: 1px solid var(--hairline); text-align: start; vertical-align: top; }
th { font-weight: 600; }
tbody th { font-weight: 400; white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 8px 24px; margin: 16px 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.letter { max-inline-size: 38rem; }
@media (max-width: 40rem) {
  .ledger > li { grid-template-columns: minmax(0, 1fr); }
  header, main { padding-inline: 16px; }
  tbody th { white-space: normal; }
  .row label { max-inline-size: 100%; }
}
@media print {
  form, nav, #levers, #magic, #errors { display: none; }
}
`;
