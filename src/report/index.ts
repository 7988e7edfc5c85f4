// Report pages with animations, plots and tables; each page is one self-contained file.

export { absencesOf } from "./absences.js";
export type {
  Block,
  Cell,
  Fact,
  Page,
  Plot,
  PlotAxis,
  Series,
  TableBlock,
  TableColumn,
  Tone,
} from "./blocks.js";
export { eventTable } from "./event-table.js";
export { type FramesOptions, framesOf, type ReadableState } from "./frames.js";
export { pageStyle } from "./generated-page.js";
export { escaped, factsHtml, tableHtml } from "./html.js";
export { bodyPlots, usualQuantities } from "./plots/body-plots.js";
export { equationPlots } from "./plots/equation-plots.js";
export { PlotMaker, type PlotRequest } from "./plots/plot-maker.js";
export { renderPage } from "./render.js";
export { type SceneOptions, sceneOf } from "./scene.js";
export type {
  Absence,
  Anchor,
  Drawing,
  Frames,
  Item,
  JointSymbol,
  Scene,
  SceneView,
} from "./scene-data.js";
export type { NamedView } from "./view.js";
