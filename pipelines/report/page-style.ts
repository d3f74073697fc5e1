/** The style of the page: calm, without anything from elsewhere; light or dark as the reader's system is. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--paper:#fcfbf8;--ink:#1f2328;--muted:#5d6470;--rule:#e3e0d8;--track:#efece4;--card:#ffffff;--accent:#22627a;--accent-ink:#1b5268;--warn:#8a5a00;--warn-paper:#fdf4df;
--series-1:#22627a;--series-2:#c2571a;--series-3:#5b7f2b;--series-4:#7d4e9e;--series-5:#a8324f;--series-6:#6b6f76;--series-quiet:#a9adb3;
--ramp-1:#b7d3dc;--ramp-2:#7fb0c0;--ramp-3:#4a8ba2;--ramp-4:#22627a;--ramp-5:#123f52;
--right:#3d7a3a;--repaired:#22627a;--wrong:#a8324f;
--serif:"Iowan Old Style","Palatino Linotype",Palatino,"URW Palladio L","P052","Source Serif 4","Source Serif Pro",Charter,Georgia,"DejaVu Serif",serif;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Inter","Helvetica Neue","Noto Sans",Arial,sans-serif;
--mono:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e4e3de;--muted:#a2a8b1;--rule:#2d3136;--track:#22262b;--card:#1b1e22;--accent:#6db6cf;--accent-ink:#86c6db;--warn:#f0c674;--warn-paper:#2b2517;
--series-1:#6db6cf;--series-2:#ef9a62;--series-3:#a5c96d;--series-4:#c29ae0;--series-5:#ee8aa2;--series-6:#b3b8bf;--series-quiet:#596069;
--ramp-1:#2c4a56;--ramp-2:#3d6c7e;--ramp-3:#5394ab;--ramp-4:#7fbfd5;--ramp-5:#c2e4ef;
--right:#8fcb8a;--repaired:#6db6cf;--wrong:#ee8aa2}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 var(--sans);font-feature-settings:"kern";overflow-wrap:break-word}
main,header.page,footer.page,nav.contents{max-width:50rem;margin:0 auto;padding:0 1.5rem}
header.page{padding-top:4rem}
.eyebrow{margin:0 0 .4rem;color:var(--muted);font-size:.875rem;letter-spacing:.04em}
h1{font:500 2.6rem/1.12 var(--serif);letter-spacing:-.012em;margin:0 0 .9rem}
h2{font:500 1.75rem/1.25 var(--serif);letter-spacing:-.006em;margin:0 0 .35rem}
h3{font:600 1.0625rem/1.4 var(--sans);margin:2.4rem 0 .15rem}
h4{font:600 .8125rem/1.4 var(--sans);color:var(--muted);margin:1.1rem 0 .3rem}
p{margin:.35rem 0;max-width:42rem}
.lead{color:var(--muted)}
.note{color:var(--muted);font-size:.9375rem;margin:.1rem 0 .6rem}
section{padding:3.2rem 0 0}
section+section{margin-top:3.2rem;border-top:1px solid var(--rule)}
a{color:var(--accent-ink);text-decoration-thickness:1px;text-underline-offset:.18em}
.skip{position:absolute;left:-100rem;top:0;background:var(--card);color:var(--ink);padding:.6rem 1rem;z-index:2}
.skip:focus{left:1rem;top:1rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
nav.contents{margin-top:2.2rem}
nav.contents ul{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;margin:0;padding:.7rem 0;border-top:1px solid var(--rule);border-bottom:1px solid var(--rule);font-size:.9375rem}
nav.contents a{display:inline-block;padding:.15rem 0;text-decoration:none}
nav.contents a:hover{text-decoration:underline}
dl.about{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.2rem;margin:0;font-size:.9375rem}
dl.about dt{color:var(--muted)}
dl.about dd{margin:0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:1.6rem 1.8rem;margin:2.6rem 0 0;padding:0;list-style:none}
.tiles li{border-top:2px solid var(--ink);padding-top:.55rem}
.tiles .figure{display:block;font:400 2.1rem/1.15 var(--serif);font-variant-numeric:lining-nums tabular-nums}
.tiles .unit{font-size:1.1rem;color:var(--muted);margin-left:.15em}
.tiles .name{color:var(--muted);font-size:.875rem;line-height:1.4;display:block}
.warning{margin:2.2rem 0 0;padding:.75rem 1rem;background:var(--warn-paper);border-left:3px solid var(--warn);border-radius:0 4px 4px 0;max-width:none;font-size:.9375rem}
figure{margin:2.4rem 0 0}
figure h3{margin-top:0}
figure svg{display:block;max-width:100%;height:auto;font-family:var(--sans);color:var(--ink);font-variant-numeric:tabular-nums;overflow:visible}
figure svg text{white-space:pre}
.narrow{display:none}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.5rem 0 .7rem;padding:0;font-size:.875rem;color:var(--muted)}
.legend svg{display:inline-block;width:.75rem;height:.75rem;margin-right:.45rem;vertical-align:-.06rem}
details>summary{cursor:pointer;color:var(--accent-ink);font-size:.875rem;padding:.35rem 0;width:fit-content}
details>summary:hover{text-decoration:underline;text-underline-offset:.2em}
figure>details{margin-top:.4rem}
.scroll{overflow-x:auto;margin:.3rem 0 0;scrollbar-width:thin}
table{border-collapse:collapse;font-size:.875rem;line-height:1.45;font-variant-numeric:lining-nums tabular-nums;min-width:min(100%,24rem)}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
th,td{padding:.34rem 1rem .34rem 0;text-align:left;vertical-align:baseline}
th:last-child,td:last-child{padding-right:.2rem}
thead td{border-bottom:1px solid var(--ink)}
thead th{font-weight:500;color:var(--muted);border-bottom:1px solid var(--ink);vertical-align:bottom}
tbody th{font-weight:400}
tbody tr+tr>*{border-top:1px solid var(--rule)}
.number{text-align:right;white-space:nowrap}
thead .number{white-space:normal}
.short{white-space:nowrap}
pre,code{font-family:var(--mono);font-size:.8125rem;line-height:1.55}
pre{margin:.35rem 0;padding:.65rem .85rem;background:var(--track);border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere}
pre.long{max-height:32rem;overflow-y:auto}
.rollout{border-top:1px solid var(--rule)}
.rollout:last-of-type{border-bottom:1px solid var(--rule)}
.rollout>summary{display:block;width:auto;padding:.8rem 0 .8rem 1.4rem;color:var(--ink);font-size:1rem;position:relative}
.rollout>summary::before{content:"";position:absolute;left:.15rem;top:1.42rem;width:.5rem;height:.5rem;border-radius:50%;background:var(--kind)}
.rollout.right{--kind:var(--right)}.rollout.repaired{--kind:var(--repaired)}.rollout.wrong{--kind:var(--wrong)}
.rollout>summary:hover{text-decoration:none}
.rollout>summary:hover .question{text-decoration:underline;text-decoration-color:var(--rule);text-underline-offset:.2em}
.rollout[open]>summary .question{font-weight:600}
.rollout .meta{display:block;color:var(--muted);font-size:.875rem}
.rollout>*:not(summary){margin-left:1.4rem}
.rollout[open]{padding-bottom:1.6rem}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem;margin-top:.1rem;margin-bottom:.7rem;font-size:.875rem}
dl.facts dt{color:var(--muted)}
dl.facts dd{margin:0;overflow-wrap:anywhere}
.turns{list-style:none;padding:0;margin-top:1rem;margin-bottom:1rem}
.turns>li{padding:.15rem 0 .15rem 1.1rem;border-left:2px solid var(--rule);margin:0 0 .7rem}
.turns>li.sampled{border-color:var(--kind)}
.turns>li.injected{border-color:var(--warn)}
.turns .who{display:block;font-size:.8125rem;font-weight:600;color:var(--muted)}
.turns .untrained{font-weight:400}
.thought{white-space:pre-wrap;font:1rem/1.6 var(--serif);margin:.25rem 0 .5rem}
.action{border-left:3px solid var(--kind)}
.ends{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:0 1.4rem}
footer.page{margin-top:4.5rem;padding-top:1.2rem;padding-bottom:4rem;color:var(--muted);font-size:.875rem}
@media (max-width:46rem){main,header.page,footer.page,nav.contents{padding-left:1.1rem;padding-right:1.1rem}header.page{padding-top:2.2rem}h1{font-size:2rem}h2{font-size:1.5rem}.wide{display:none}.narrow{display:block}.tiles{grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:1.2rem}.tiles .figure{font-size:1.7rem}section{padding-top:2.2rem}section+section{margin-top:2.4rem}.rollout>*:not(summary){margin-left:0}}
@media print{body{background:#fff}.skip,nav.contents{display:none}figure,.rollout{break-inside:avoid}}
`;
