export type { BodyOptions } from "../model/body.js";
export type { VectorLike } from "../model/checks.js";
export type * from "../model/description.js";
export type { Body, Force, Handle, Joint, Marker, MarkerOptions } from "../model/handles.js";
export type { Inertia } from "../model/inertia.js";
export type { Orientation } from "../model/orientation.js";
export { box, cylinder, rod, type Shape, sphere } from "../model/shapes.js";
export { type Model, type ModelOptions, model } from "./model.js";
