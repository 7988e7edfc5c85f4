// Report pages with animations, plots and tables; each page is one self-contained file.

export type { NamedView } from "../draw/camera.js";
export { absencesOf, type FramesOptions, framesOf, type ReadableState } from "../draw/frames.js";
export { niceAbove } from "../draw/items-roads.js";
export { type SceneOptions, sceneOf } from "../draw/scene.js";
export type {
  Absence,
  Anchor,
  Drawing,
  Frames,
  Item,
  JointSymbol,
  Plot,
  PlotAxis,
  Scene,
  SceneView,
  Series,
} from "../draw/scene-data.js";
export { shortNumber, tickTexts } from "../draw/text.js";
export { pageStyle } from "./generated-page.js";
export { bodyPlots, equationPlots, PlotMaker, type PlotRequest, usualQuantities } from "./plots.js";
export type {
  Block,
  Cell,
  Fact,
  Page,
  TableBlock,
  TableColumn,
  Tone,
} from "./render.js";
export { documentHtml, escaped, factsHtml, renderPage, tableHtml } from "./render.js";
export { eventTable } from "./summary.js";
