// Data embedded in a page for its script.

import type { PlotAxis } from "./blocks.js";
import type { Frames, Scene } from "./scene-data.js";

export interface PageData {
  readonly scenes: readonly SceneData[];
  readonly plots: readonly PlotData[];
}

export type SceneData = Omit<Scene, "frames"> & { readonly frames: FrameData };

/** Compressed frames; see `encodeFrames`. */
export interface FrameData extends Pick<Frames, "events" | "absences" | "lengthUnit" | "timeUnit"> {
  readonly count: number;
  /** Number of bodies with poses. */
  readonly bodies: number;
  /** Time of the first frame; the others are Float32 offsets from it, in base64. */
  readonly start: number;
  readonly times: string;
  /** Quantum of positions. */
  readonly quantum: number;
  /** Quantum of orientations. */
  readonly turn: number;
  /** Order of the prediction: by the previous value, or by the line through two. */
  readonly order: 1 | 2;
  readonly poses: string;
}

export interface PlotData {
  readonly title: string;
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  readonly series: readonly SeriesData[];
  readonly marks: readonly { readonly x: number; readonly label: string }[];
  /** Index of the scene whose time is x; -1 for none. */
  readonly scene: number;
}

export interface SeriesData {
  readonly name: string;
  readonly points: boolean;
  /** Grey and dashed. */
  readonly aside: boolean;
  /** Whether x is increasing. */
  readonly ordered: boolean;
  readonly x: EncodedNumbers;
  readonly y: EncodedNumbers;
}

/**
 * Values x = base + scale f with f as Float32 in base64, so that small differences keep their digits and no value
 * overflows. On logarithmic axes the values are 10 to that power.
 */
export interface EncodedNumbers {
  readonly base: number;
  readonly scale: number;
  readonly isLog: boolean;
  readonly values: string;
}
