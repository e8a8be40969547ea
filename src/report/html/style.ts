/** The page's style: system fonts, one column, light and dark, down to 320 pixels. */
export const style = `
:root{color-scheme:light dark;--bg:#f5f6f3;--card:#fff;--soft:#eef1ec;--text:#1c2421;--muted:#56625d;--line:#dbe1da;--link:#0b5d6b;
--passed:#1d7a4c;--failed:#b3261e;--known:#9a4a3c;--error:#96206c;--warned:#8a5a00;--inconclusive:#634aa0;--skipped:#5a6661;--observed:#245c9e;
--mark:#ffdf9e;--marktext:#3a2500;--on:#fff;--font:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;--mono:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{--bg:#111615;--card:#19201e;--soft:#222b28;--text:#e5ebe7;--muted:#a3b1ab;--line:#313c38;--link:#7fd0dc;
--passed:#5cc98e;--failed:#ff8a80;--known:#e5a394;--error:#f08ccb;--warned:#f0b850;--inconclusive:#b9a5f2;--skipped:#a3b1ab;--observed:#82b8f5;--mark:#6b4a00;--marktext:#ffeccb;--on:#111615}}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--text);font:1rem/1.55 var(--font);overflow-wrap:anywhere}
main,footer{max-width:68rem;margin:0 auto;padding:0 1.25rem}
a{color:var(--link);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem;z-index:2}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.defs{position:absolute}
h1{font-size:clamp(1.6rem,1.1rem + 2.2vw,2.5rem);line-height:1.15;letter-spacing:-.02em;margin:0;font-weight:650}
h2{font-size:1.3rem;line-height:1.3;letter-spacing:-.01em;margin:3.5rem 0 .35rem}h3{font-size:1rem;margin:0}h3 small{color:var(--muted);font-weight:500;margin-left:.35rem}
.label{font-size:.78rem;color:var(--muted);margin:0 0 .25rem;font-weight:600}
p{margin:.35rem 0}.lead,.quiet,.why+.sides{color:var(--muted)}.lead{max-width:46rem;margin-bottom:1rem}.quiet{font-size:.85rem}
code,pre{font-family:var(--mono);font-size:.86em}code{background:var(--soft);padding:.05em .3em;border-radius:4px}
pre{margin:0;padding:.6rem .75rem;background:var(--soft);border-radius:6px;white-space:pre-wrap;font-size:.8rem;line-height:1.5}pre+pre{margin-top:.35rem}.nb{white-space:nowrap}.sent{margin:0;padding:.6rem .75rem;background:var(--soft);border-radius:6px;list-style:none;font:.8rem/1.5 var(--mono)}.sent li{padding-left:1.5em;text-indent:-1.5em;white-space:pre-wrap}.long{max-height:26rem;overflow-y:auto;position:relative}
mark{background:var(--mark);color:var(--marktext);border-radius:3px;padding:0 .1em;font-weight:700;text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:.15em}
.product{margin:1.75rem 0 1.5rem;font-size:.9rem;color:var(--muted);font-weight:600}
.verdict{display:flex;gap:1rem;align-items:flex-start}.verdict p{max-width:44rem;font-size:1.08rem;margin:.5rem 0 0}.verdict>.shape{width:2.6rem;height:2.6rem;flex:none;margin-top:.15rem}
.shape{width:1rem;height:1rem;flex:none;vertical-align:-.15em;overflow:visible;fill:currentColor;stroke:none}
.shape path,.shape circle{vector-effect:none}
symbol path:not(.fill):not(.hollow):not(.line){fill:none;stroke:var(--on);stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
symbol .hollow{fill:none;stroke:currentColor;stroke-width:1.5}symbol .dashed{stroke-dasharray:3 2.2}symbol .line{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round}
.passed{--tone:var(--passed)}.failed{--tone:var(--failed)}.known{--tone:var(--known)}.error{--tone:var(--error)}.warned{--tone:var(--warned)}.inconclusive{--tone:var(--inconclusive)}.skipped{--tone:var(--skipped)}.observed{--tone:var(--observed)}
.shape,.badge{color:var(--tone)}
.counts{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:0 0 .75rem;font-size:.86rem}
.facts{display:flex;flex-wrap:wrap;gap:.15rem 1.5rem;margin:1rem 0 0;padding-top:.9rem;border-top:1px solid var(--line);font-size:.94rem}
.facts div{display:flex;gap:.45rem;min-width:0;align-items:baseline}dt{color:var(--muted)}dd{margin:0;min-width:0}.facts dt{flex:none}
.notice{border-left:4px solid var(--warned);padding:.5rem .9rem;background:var(--card);margin-top:1rem;border-radius:0 6px 6px 0}
.problems ul{list-style:none;padding:0;margin:.75rem 0 0;display:grid;gap:.6rem}
.problems li{display:flex;gap:.75rem;background:var(--card);padding:.85rem 1rem;border-radius:8px;border:1px solid var(--line)}.problems li>div{min-width:0;flex:1}.problems .shape{margin-top:.28rem}
.problems h3{font-weight:600}.sides{display:grid;grid-template-columns:4.6rem minmax(0,1fr);margin:.35rem 0 0;font-size:.88rem}.sides dd{font-family:var(--mono);white-space:pre-wrap}
.verdict .open{font-size:.92rem;color:var(--muted);margin:.35rem 0 0}
.glance{display:grid;gap:0 2.5rem;grid-template-columns:minmax(0,1fr)}@media (min-width:60rem){.glance:not(:has(.causes)) [role=toolbar]{columns:2;column-gap:2.5rem}.glance:has(.causes){grid-template-columns:minmax(0,1fr) 22.5rem;grid-template-rows:repeat(5,auto) 1fr}.glance:has(.causes)>*{grid-column:1}.glance:has(.causes)>.map{grid-column:2;grid-row:1/-1}}.glance h2{margin:2rem 0 .75rem}
.causes{counter-reset:cause}.causes details{margin-top:.6rem}.causes details ol{margin-top:.6rem}.causes ol{padding:0;margin:0;list-style:none;display:grid;gap:.6rem}.causes li{counter-increment:cause;display:flex;gap:.75rem;background:var(--card);padding:.75rem 1rem;border-radius:8px;border:1px solid var(--line);border-left:4px solid var(--failed)}
.causes li::before{content:counter(cause) ".";font-weight:650;color:var(--muted)}.causes li>div{min-width:0;flex:1}.causes h3{font-weight:600;line-height:1.4}.causes .ids{margin:.35rem 0 0}
.map .row{break-inside:avoid;display:grid;grid-template-columns:7rem minmax(0,1fr);align-items:start;gap:.25rem;margin-bottom:.45rem}.map .name{font-size:.8rem;line-height:1.3;padding-top:.3rem}.map small{display:block;color:var(--muted)}.cells{display:flex;flex-wrap:wrap;gap:.25rem}
.cell{display:inline-flex;gap:.25rem;align-items:center;width:2.8rem;height:1.75rem;padding:0 .3rem;border-radius:5px;border:1px solid color-mix(in srgb,var(--tone) 45%,transparent);background:color-mix(in srgb,var(--tone) 12%,var(--card));color:var(--text);text-decoration:none;font-size:.8rem;position:relative;white-space:nowrap;overflow-wrap:normal}.cell .shape{width:.9rem;height:.9rem}.cell:hover{border-color:var(--tone)}
.fold{margin-top:1.25rem;border-top:1px solid var(--line);padding-top:.5rem}.fold>summary h2{display:inline;margin:0;font-size:1.1rem}#requirements h2{margin-top:3rem}.run h2{margin:2rem 0 .35rem}.run .facts{margin:0;border:0;padding:0}
.clear{font-size:.86rem;padding:.2rem .65rem;border:1px solid var(--line);background:var(--card);border-radius:6px;min-height:1.6rem}
.ids a,.problems h3 a{display:inline-block;min-height:1.5rem;min-width:1.5rem}
table{width:100%;border-collapse:collapse;font-size:.94rem}caption{text-align:left;font-size:.85rem;color:var(--muted);font-weight:600;padding:0 0 .35rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem;font-weight:400}thead th{font-size:.8rem;color:var(--muted);overflow-wrap:normal}.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.group{margin-top:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.9rem 0 .25rem;overflow:hidden}.group h3{padding:0 1rem .35rem}
.group td:first-child,.group th:first-child{padding-left:1rem;width:9.75rem}.group td:last-child,.group thead th:last-child{padding-right:1rem;width:7rem}
.requirement{border-top:1px solid var(--line)}.requirement:target{background:color-mix(in srgb,var(--link) 9%,transparent)}
.badge{display:inline-flex;white-space:nowrap;gap:.4rem;align-items:center;font-weight:600;font-size:.88rem;line-height:1.3}
.id{font-weight:650}.must{color:var(--muted);font-weight:500}.level,.section{font-size:.8rem;color:var(--muted)}.level{margin:0 .4rem 0 .15rem}.statement{display:inline}.section{display:block}
.reason{font-size:.9rem;border-left:3px solid var(--line);padding-left:.6rem;margin:.3rem 0 0}
.group .more td{padding:0 1rem .6rem;width:auto}
details>summary{cursor:pointer;padding:.3rem 0}summary small{color:var(--muted);font-size:.85em}
.failure{border:1px solid var(--line);border-left:4px solid var(--failed);border-radius:6px;padding:.2rem .75rem;margin:.35rem 0}[data-verdict=warned] .failure{border-left-color:var(--warned)}[data-verdict=known] .failure{border-left-color:var(--known)}
.failure>summary{font-weight:600}.failure .steps summary{font-size:.78rem;color:var(--muted);font-weight:600}.failure[open]{padding-bottom:.75rem}.failure>.pair,.command,.steps{margin-top:.75rem}.legend{margin-top:1rem}@media (min-width:60rem){.glance:has(.causes) .legend dl div{display:block}}.legend dl{margin:.25rem 0 .5rem}.legend dl div{display:flex;gap:.75rem;padding:.2rem 0}.legend dt{flex:none;width:9.5rem}
.pair{display:grid;align-items:start;gap:.75rem;grid-template-columns:minmax(0,1fr)}.pair>*{min-width:0}@media (min-width:44rem){.pair{grid-template-columns:repeat(2,minmax(0,1fr));gap:1rem}}
.compare>:last-child pre{box-shadow:inset 3px 0 var(--failed)}.compare>:first-child pre{box-shadow:inset 3px 0 var(--passed)}
.command{position:relative}button{font:inherit;color:inherit;cursor:pointer}
.copy{position:absolute;right:0;top:-.35rem;font-size:.8rem;padding:.1rem .6rem;border:1px solid var(--line);border-radius:5px;background:var(--card)}
.controls{padding:.75rem 0;display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:center;margin-top:.75rem}.controls[hidden]{display:none}
.filters{display:flex;flex-wrap:wrap;gap:.35rem}.filters button{font-size:.86rem;padding:.2rem .65rem;border:1px solid var(--line);background:var(--card);border-radius:1rem}.filters button[aria-pressed=true]{border-color:var(--text);box-shadow:inset 0 0 0 1px var(--text)}
.controls label span{flex:none}.controls label{font-size:.86rem;color:var(--muted);flex:1 1 13rem;max-width:24rem;display:flex;gap:.5rem;align-items:center}.controls input{font:inherit;color:var(--text);background:var(--card);border:1px solid var(--muted);border-radius:6px;padding:.25rem .6rem;width:100%;min-width:0}.controls output{font-size:.86rem;color:var(--muted)}.controls output:empty{margin-left:-1rem}
.plain{background:var(--card);border:1px solid var(--line);border-radius:10px;border-collapse:separate;border-spacing:0}.plain tbody td{border-top:1px solid var(--line)}.plain td:first-child{white-space:nowrap}
.subjects td:last-child{min-width:6.5rem}.subjects ul{margin:0;padding:0}.subjects li{display:inline}.subjects summary{padding:0}.subjects td:nth-child(2){min-width:6rem}.subjects li:not(:last-child)::after{content:" · ";color:var(--muted)}@media (min-width:44rem){.subjects td:last-child{min-width:11rem}}@media (max-width:44rem){.plain th,.plain td{padding-inline:.5rem}}
.reasons{list-style:none;padding:0;display:grid;gap:.75rem}.reasons li{align-items:start;display:grid;grid-template-columns:9.75rem minmax(0,1fr);gap:.75rem}.ids{font-size:.88rem;display:flex;flex-wrap:wrap;gap:.1rem .75rem}.ids span{display:flex;flex-wrap:wrap;gap:.1rem .6rem}
.bars th,.bars td{padding:.25rem .5rem .25rem 0;vertical-align:middle}.bars .bar{width:60%}.bars svg{display:block;width:100%;height:.8rem}.bars rect{fill:var(--observed)}
.latency{margin-top:1.5rem;min-width:34rem}.latency svg{height:1.3rem;overflow:visible}.latency .bar{width:45%;padding-right:1.25rem}.latency line{stroke:var(--line)}.latency text{font:.72rem var(--font);fill:var(--muted)}
.latency .max{fill:var(--line)}.latency .p99{fill:color-mix(in srgb,var(--observed) 35%,var(--card))}.latency .p90{fill:color-mix(in srgb,var(--observed) 65%,var(--card))}.latency .p50{fill:var(--observed)}
.timeline{margin:.75rem 0 0}.timeline figcaption{font-size:.86rem;color:var(--muted)}.timeline svg{display:block;width:100%;height:6rem;background:var(--card);border:1px solid var(--line);border-radius:6px}.ends{display:flex;justify-content:space-between;font-size:.78rem;color:var(--muted)}
.timeline .requests,.key.requests{fill:var(--observed);background:var(--observed)}.timeline .limited,.key.limited{fill:var(--failed);background:var(--failed)}.timeline .wait,.key.wait{fill:var(--line);background:var(--line)}
.timeline.client svg{height:2.5rem}.timeline .wrong,.key.wrong{fill:var(--failed);background:var(--failed)}.timeline .refused,.key.refused{fill:var(--warned);background:var(--warned)}
.timeline .remaining{fill:none;stroke:var(--passed);stroke-width:2;vector-effect:non-scaling-stroke}.key.remaining{background:var(--passed)}.timeline .window{stroke:var(--warned);stroke-dasharray:4 3;vector-effect:non-scaling-stroke}.key.window{background:var(--warned)}
.key{display:inline-block;width:.6rem;height:.6rem;border-radius:2px;margin-right:.3rem;print-color-adjust:exact}.keys{max-width:none}.keys span{white-space:nowrap;margin-right:.75rem}.key.max{background:var(--line)}.key.p99{background:color-mix(in srgb,var(--observed) 35%,var(--card))}.key.p90{background:color-mix(in srgb,var(--observed) 65%,var(--card))}.key.p50{background:var(--observed)}
.scroll{overflow-x:auto;position:relative}.scroll table{overflow-wrap:normal}.scroll td.others{overflow-wrap:break-word}.coverage th:first-child{white-space:nowrap}.coverage{background:var(--card);border:1px solid var(--line);font-size:.86rem;min-width:52rem}.coverage th,.coverage td{border-top:1px solid var(--line);padding:.4rem .6rem}.coverage thead code{font-size:.72rem;background:none;padding:0}
.untested{background:repeating-linear-gradient(135deg,transparent 0 5px,var(--soft) 5px 8px)}.none{color:var(--muted)}.all{color:var(--passed);font-weight:600}.some{color:var(--warned);font-weight:600}.others{color:var(--muted);max-width:14rem}
.exchange{border-top:1px solid var(--line);padding:.15rem 0}.exchange summary code{background:none}
.copy[hidden],.clear[hidden]{display:none}
footer{color:var(--muted);font-size:.85rem;margin-top:4rem;padding-bottom:3rem}
@media (max-width:40rem){.causes .sides{display:none}main,footer{padding:0 1rem}.group{margin-inline:-1rem;border-radius:0;border-inline:0}.requirement tr:first-child{display:grid;grid-template-columns:1fr auto}.requirement tr:first-child>td,.requirement tr:first-child>th{width:auto;padding-block:.35rem}.requirement tr:first-child>th{grid-row:2;grid-column:1/-1;padding:0 1rem .7rem}.requirement .number::before{content:"Checks run: "}.requirement .number{color:var(--muted);font-size:.8rem}.group thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.verdict{gap:.75rem}.verdict>.shape{width:1.9rem;height:1.9rem}.reasons li{grid-template-columns:minmax(0,1fr);gap:.15rem}}
@media print{:root{--bg:#fff}.untested{print-color-adjust:exact}.plain th,.plain td{padding-block:.2rem}html{font-size:75%}.long{max-height:none}.scroll{overflow:visible}.controls,.skip,.copy,#exchanges{display:none!important}summary{list-style:none}details::details-content{content-visibility:visible;display:block}
.requirement{break-inside:auto}.map,li,tr{break-inside:avoid}h2,h3,summary,.label,.requirement:has(.more)>tr:first-child{break-after:avoid}.requirement .more{break-inside:auto}}
`;

/** What the picture of a domain needs besides the style of every page. */
export const domainStyle = `
.domain{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.9rem 1rem;margin-top:1.25rem;break-inside:avoid}.domain h2{margin:0;font-size:1.1rem}
.way{list-style:none;margin:.75rem 0;padding:0;display:flex;flex-wrap:wrap;gap:.6rem 0}
.way li{position:relative;display:flex;flex-direction:column;min-width:7rem;max-width:15rem;flex:1 1 8rem;padding:.4rem .6rem;margin-right:1.4rem;border:2px solid var(--tone,var(--line));border-radius:8px;font-size:.86rem}
.way li:last-child{margin-right:0}.way li:not(:last-child,:has(+.broken))::after{content:"→";position:absolute;left:100%;top:50%;width:1.4rem;text-align:center;transform:translateY(-50%);color:var(--muted)}
.way .broken{border-style:dashed}.way .broken:not(:first-child)::before{content:"✕";position:absolute;right:100%;top:50%;width:1.4rem;text-align:center;transform:translateY(-50%);color:var(--failed);font-weight:700}
.seen td:first-child{white-space:normal}.way b{font-weight:650}.remedy{border-left:4px solid var(--passed);padding:.1rem .9rem;margin:.5rem 0}.remedy ol{margin:.3rem 0;padding-left:1.3rem}
@media (max-width:44rem){.way{flex-direction:column;gap:1.3rem}.way li{max-width:none;margin-right:0;flex:none}.way li:not(:last-child,:has(+.broken))::after{content:"↓";left:0;right:0;top:100%;width:auto;transform:none}.way .broken:not(:first-child)::before{left:0;right:0;top:-1.45rem;width:auto;transform:none}}
`;

/** The style of a matrix, beside that of every page. */
export const matrixStyle = `
.scroll{overflow-x:auto}.matrix{width:auto;border-collapse:separate;border-spacing:0;background:var(--card);border:1px solid var(--line);border-radius:10px}
.matrix th[scope=row]{position:sticky;left:0;background:var(--card);min-width:9rem;max-width:18rem;z-index:1}.matrix td{text-align:center;border-top:1px solid var(--line);min-width:2rem}.matrix th[scope=row]{border-top:1px solid var(--line)}
.matrix thead th span{writing-mode:vertical-rl;white-space:nowrap}.matrix summary{white-space:nowrap}.matrix thead th{vertical-align:bottom}.matrix .changed{outline:2px solid var(--link);outline-offset:-3px}
`;
