/** Besides the style of all pages of the package. */
export const campaignStyle = `
.grid3{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(300px,100%),1fr));gap:12px}
.grid3 figure{margin:0;padding:0 6px 8px;min-width:0}
.grid3 h3,.wide h3{color:var(--ink);font-weight:600}
figcaption{padding:0 10px;color:var(--soft);font-size:13px;overflow-wrap:anywhere}
svg{display:block;width:100%;height:auto}
svg text{fill:var(--soft);font-size:11px}
svg .grid{stroke:var(--line);fill:none}
svg .axis{stroke:var(--soft);fill:none}
svg .bar{fill:var(--accent);opacity:.8}
svg .dot{fill:var(--accent);fill-opacity:.55;cursor:pointer}
svg .path{fill:none;stroke:var(--accent);stroke-opacity:.22;cursor:pointer}
svg .mean{fill:none;stroke:var(--accent);stroke-width:2}
svg .band{stroke:var(--accent);stroke-width:1.2;fill:none}
svg .total{fill:var(--accent);opacity:.35}
svg .over,svg .chosen{fill-opacity:1;stroke-opacity:1}
svg .dot.over,svg .dot.chosen{fill:var(--bad);r:4px}
svg .path.over,svg .path.chosen{stroke:var(--bad);stroke-width:2.2}
tr[data-row]{cursor:pointer}
tr.over td,tr.chosen td{background:var(--hover)}
.matrix{display:grid;gap:4px}
.matrix>div{min-width:0}
.matrix .name{display:flex;align-items:center;justify-content:center;text-align:center;font-size:13px;font-weight:600;overflow-wrap:anywhere;padding:4px}
.scrollable{overflow-x:auto;padding:8px}
.matrix{min-width:calc(var(--n) * 150px)}
.wide svg{min-width:560px}
#case{position:sticky;bottom:12px;margin:0 auto 12px;max-width:1112px;padding:4px 16px 12px;max-height:45vh;overflow:auto;border:1px solid var(--accent);border-radius:12px;background:var(--card);box-shadow:0 6px 30px rgb(0 0 0/25%)}
#case[hidden]{display:none}
#case h3{padding:10px 0;display:flex;justify-content:space-between;align-items:center;font-size:15px}
#case button{border:0;background:none;color:var(--soft);font-size:16px;cursor:pointer}
#case dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(130px,1fr));gap:6px 14px;margin:0}
#case dl div{min-width:0}#case dt{color:var(--soft);font-size:12px;overflow-wrap:anywhere}#case dd{margin:0;font-variant-numeric:tabular-nums}
#case p{margin:10px 0 0;overflow-wrap:anywhere}
#case a{color:var(--accent)}
`;
