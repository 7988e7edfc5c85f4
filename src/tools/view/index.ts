// Pictures of mechanisms in pages: `nodrift/view`.

export type { ModelGiven } from "./feeds.js";
export type { ShowOptions, SliderOptions, ViewOptions } from "./options.js";
export type { LiveGrip, LiveSource, ViewSource } from "./source.js";
export { type View, view } from "./view.js";
