// Style of a view. A constructed style sheet needs no permission of a content security policy, and one adopted by a
// shadow root is isolated from the page.

const TEXT = `
:host { display: block; height: 100%; min-height: 240px; contain: content; container-type: inline-size;
  --surface: #fcfdfe; --panel: #fffffff0; --ink: #1c2530; --soft: #566170; --line: #d5dce4; --accent: #2260cc; --bad: #b3261e;
  color: var(--ink); background: var(--surface); font: 13px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
:host([data-dark]) { --surface: #131a22; --panel: #1a232df0; --ink: #e8edf3; --soft: #a3afbd; --line: #334050; --accent: #6ea4ff; --bad: #ff8a80; }
* { box-sizing: border-box; }
.view { display: flex; flex-direction: column; height: 100%; min-height: inherit; }
.stage { position: relative; flex: 1 1 auto; min-height: 160px; overflow: hidden; }
canvas { display: block; }
.picture, .signs { position: absolute; inset: 0; width: 100%; height: 100%; }
.picture { touch-action: pan-y; cursor: grab; }
.picture:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.picture.holds, .picture:active { cursor: grabbing; touch-action: none; }
.signs { pointer-events: none; }
.notice { position: absolute; left: 8px; right: 8px; bottom: 56px; margin: 0 auto; width: fit-content; max-width: 36em; padding: 6px 10px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--panel); color: var(--soft); }
.notice.bad { color: var(--bad); border-color: currentColor; }
.notice:empty { display: none; }
.legend { flex: none; display: flex; flex-wrap: wrap; align-items: center; gap: 4px; max-height: 84px; overflow: auto; margin: 0; padding: 6px 8px;
  list-style: none; }
.chip { display: inline-flex; align-items: center; gap: 6px; }
.swatch { width: 10px; height: 10px; border-radius: 3px; flex: none; }
button, select, .chip { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 7px;
  min-height: 28px; padding: 3px 9px; cursor: pointer; }
button[aria-pressed="true"] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
button:disabled { opacity: 0.55; cursor: default; }
button:focus-visible, select:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
button svg { display: block; width: 18px; height: 18px; fill: currentColor; }
.bar { flex: none; display: flex; flex-wrap: wrap; align-items: center; gap: 6px; padding: 8px; border-top: 1px solid var(--line); }
.bar input[type="range"] { flex: 1 1 120px; min-width: 80px; accent-color: var(--accent); }
.clock { font-variant-numeric: tabular-nums; color: var(--soft); white-space: nowrap; }
.grow { flex: 1 1 0; }
details { position: relative; }
summary { list-style: none; cursor: pointer; border: 1px solid var(--line); border-radius: 7px; min-height: 28px; padding: 3px 9px; }
summary::-webkit-details-marker { display: none; }
details .menu { position: absolute; right: 0; bottom: calc(100% + 6px); z-index: 3; display: grid; gap: 2px; min-width: 150px; padding: 8px;
  background: var(--panel); border: 1px solid var(--line); border-radius: 9px; }
.menu label { display: flex; align-items: center; gap: 8px; min-height: 26px; white-space: nowrap; }
.menu label[aria-disabled="true"] { color: var(--soft); }
.panel { position: absolute; right: 8px; top: 48px; width: 250px; max-width: calc(100% - 16px); max-height: calc(100% - 64px); overflow: auto;
  padding: 10px; background: var(--panel); border: 1px solid var(--line); border-radius: 9px; }
.panel[hidden] { display: none; }
.panel h2 { margin: 0 28px 4px 0; font-size: 14px; overflow-wrap: anywhere; }
.panel .close { position: absolute; right: 8px; top: 6px; padding: 0 8px; min-height: 24px; }
.panel dl { display: grid; grid-template-columns: auto 1fr; gap: 1px 10px; margin: 6px 0; }
.panel dt { color: var(--soft); }
.panel dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.panel canvas { width: 100%; height: 96px; }
.panel select { width: 100%; }
.panel .row { display: flex; gap: 6px; margin-top: 6px; }
.sliders { flex: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); gap: 4px 16px; padding: 4px 10px 8px; }
.sliders:empty { display: none; }
.sliders label { display: grid; grid-template-columns: 1fr auto; gap: 0 8px; align-items: baseline; }
.sliders input { grid-column: 1 / -1; width: 100%; accent-color: var(--accent); }
.sliders output { font-variant-numeric: tabular-nums; color: var(--soft); }
@container (max-width: 520px) {
  .legend { flex-wrap: nowrap; overflow: auto hidden; scrollbar-width: thin; }
  .legend li { flex: none; }
  .panel { left: 8px; top: auto; bottom: 8px; width: auto; max-height: 62%; }
  .bar input[type="range"] { flex-basis: 100%; order: -1; }
  .bar > select { width: 66px; }
  .wide { display: none; }
}
@media (forced-colors: active) { button[aria-pressed="true"] { outline: 2px solid Highlight; } }
`;

let sheet: CSSStyleSheet | undefined;

/** Returns the style sheet that all views share. */
export function viewStyle(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(TEXT);
  }
  return sheet;
}
