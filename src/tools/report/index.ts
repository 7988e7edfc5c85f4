// Pages that show what was found: animations, plots and tables, each page a file of its own.

export { absencesOf } from "./absences.js";
export type {
  Block,
  Cell,
  Column,
  Fact,
  Page,
  Plot,
  PlotAxis,
  Series,
  Table,
  Tone,
} from "./blocks.js";
export { eventTable } from "./event-table.js";
export { type FramesOptions, framesOf, type ReadableState } from "./frames.js";
export { pageStyle } from "./generated-page.js";
export { escaped, factsHtml, tableHtml } from "./html.js";
export { bodyPlots, usualQuantities } from "./plots/body-plots.js";
export { equationPlots } from "./plots/equation-plots.js";
export { PlotMaker, type PlotWanted } from "./plots/plot-maker.js";
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
