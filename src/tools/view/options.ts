// Options of a view, and their checks.

import { hint, show } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { SceneOptions } from "../report/scene.js";
import type { ModelGiven } from "./feeds.js";

/** Parts of the picture that can be shown or not. */
export interface ShowOptions {
  /** Names of bodies. Default: false. */
  readonly names?: boolean;
  /** Symbols of joints, and what holds them. Default: true. */
  readonly joints?: boolean;
  /** Frames of bodies. Default: false. */
  readonly frames?: boolean;
  /** Centres of mass. Default: false. */
  readonly masses?: boolean;
  /** A grid below everything, where there is no road. Default: true. */
  readonly grid?: boolean;
  /** Arrows of the forces of joints, on their second bodies. Default: false. */
  readonly reactions?: boolean;
  /** Arrows of springs, tyres, loads. Default: false. */
  readonly forces?: boolean;
  /** Arrows of the velocities of centres of mass. Default: false. */
  readonly velocities?: boolean;
}

/** A slider for a parameter. */
export interface SliderOptions {
  /** Default: a tenth of the value; -1 if that is zero. */
  readonly minimum?: number;
  /** Default: three times the value; 1 if that is zero. */
  readonly maximum?: number;
  /** Default: the name. */
  readonly label?: string;
  /** Shown behind the value. */
  readonly unit?: string;
}

/** Options of {@link view}. Those of `view` in a model file are among them. */
export interface ViewOptions extends SceneOptions {
  /** The model, for sources that do not carry one: a worker's live object, for instance. */
  readonly model?: ModelGiven;
  /** Default: "auto", as the system of the user. */
  readonly theme?: "auto" | "light" | "dark";
  /** Default: "perspective"; "orthographic" for planar mechanisms. */
  readonly projection?: "perspective" | "orthographic";
  /** What is shown at first. */
  readonly show?: ShowOptions;
  /** Whether it plays at once. Default: true, but for users who ask their system for little motion. */
  readonly play?: boolean;
  /** Whether the view lets time pass. False: you advance the source yourself. Default: true. */
  readonly drive?: boolean;
  /** Simulated seconds in a real one. Default: what the source has; of a solution, so that it takes some seconds. */
  readonly speed?: number;
  /** Buttons below the picture. Default: true. */
  readonly controls?: boolean;
  /** Names with their colours above the picture. Default: true. */
  readonly legend?: boolean;
  /** Sliders for parameters by their names; false: none. Default: one for each parameter of the source. */
  readonly sliders?: false | Readonly<Record<string, SliderOptions>>;
  /** Whether bodies can be dragged. Default: true, where the source can. */
  readonly drag?: boolean;
  /** Draws flat, as where there is no WebGL. Default: false. */
  readonly flat?: boolean;
}

/** What is not said otherwise. */
export const SHOWN_AT_FIRST: Required<ShowOptions> = {
  names: false,
  joints: true,
  frames: false,
  masses: false,
  grid: true,
  reactions: false,
  forces: false,
  velocities: false,
};

const SHOWN = Object.keys(SHOWN_AT_FIRST);
const KEYS: Readonly<Record<keyof ViewOptions, string>> = {
  model: "object",
  theme: "auto|light|dark",
  projection: "perspective|orthographic",
  show: "object",
  play: "boolean",
  drive: "boolean",
  speed: "number",
  controls: "boolean",
  legend: "boolean",
  sliders: "object",
  drag: "boolean",
  flat: "boolean",
  from: "any",
  up: "any",
  follow: "any",
  traces: "any",
  draw: "any",
  labels: "boolean",
};

export function wrong(text: string): NodriftError {
  return new NodriftError("DESCRIPTION", `view: ${text}`);
}

/** Refuses names that there are not, and values of a wrong kind. */
export function checkViewOptions(options: ViewOptions): void {
  if (typeof options !== "object" || options === null) {
    throw wrong(`the options are ${show(options)}; give an object`);
  }
  for (const [name, value] of Object.entries(options)) {
    const wants = KEYS[name as keyof ViewOptions];
    if (wants === undefined)
      throw wrong(`there is no option "${name}"${hint(name, Object.keys(KEYS))}`);
    const isOfKind = wants.includes("|")
      ? wants.split("|").includes(value as string)
      : wants === "any" || typeof value === wants || (name === "sliders" && value === false);
    if (value !== undefined && !isOfKind) {
      const what = wants.includes("|") ? `one of ${wants.split("|").join(", ")}` : `a ${wants}`;
      throw wrong(`${name} is ${show(value)}; give ${what}`);
    }
  }
  if (options.speed !== undefined && !(options.speed >= 0)) {
    throw wrong(`speed is ${show(options.speed)}; give 0 or more: 1 is real time`);
  }
  checkShown(options.show ?? {});
}

/** What of the picture is to be shown. */
export function checkShown(parts: ShowOptions): void {
  for (const [name, value] of Object.entries(parts)) {
    if (!SHOWN.includes(name)) throw wrong(`show: there is no "${name}"${hint(name, SHOWN)}`);
    if (typeof value !== "boolean")
      throw wrong(`show.${name} is ${show(value)}; give true or false`);
  }
}
