// Entry point `nodrift/draw`: recorded motions on a canvas, with their controls and plots, without three.js.

export { Animation } from "./animation.js";
export type { Camera, NamedView } from "./camera.js";
export { onTheme } from "./colours.js";
export {
  attachControls,
  bodyList,
  type ControlActions,
  type ControlledView,
  Player,
  type PlayerListener,
  type SliderValue,
  slider,
  timeControls,
  viewControls,
} from "./controls.js";
export { PlotChart, type PlotChartOptions } from "./plots.js";
export { type RecordedSceneOptions, recordedScene, type SceneOptions } from "./scene.js";
export type {
  DrawnScene,
  Frames,
  Item,
  Plot,
  PlotAxis,
  RecordedScene,
  Scene,
  SceneView,
  Series,
} from "./scene-data.js";
export { type SketchCurves, sketch } from "./sketch.js";
