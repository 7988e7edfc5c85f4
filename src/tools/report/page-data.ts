// What is written into a page for its script: the contract between the two.

import type { PlotAxis } from "./blocks.js";
import type { Frames, Scene } from "./scene-data.js";

export interface PageData {
  readonly scenes: readonly SceneData[];
  readonly plots: readonly PlotData[];
}

export type SceneData = Omit<Scene, "frames"> & { readonly frames: FrameData };

/** Frames in few characters: see `encodeFrames`. */
export interface FrameData extends Pick<Frames, "events" | "absences" | "lengthUnit" | "timeUnit"> {
  readonly count: number;
  /** Of which there are poses. */
  readonly bodies: number;
  /** Of the first frame; the others follow as Float32 from there, in base64. */
  readonly start: number;
  readonly times: string;
  /** Of which positions are multiples. */
  readonly quantum: number;
  /** Of which orientations are multiples. */
  readonly turn: number;
  /** How numbers are predicted: by the one before, or by the line through two. */
  readonly order: 1 | 2;
  readonly poses: string;
}

export interface PlotData {
  readonly title: string;
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  readonly series: readonly SeriesData[];
  readonly marks: readonly { readonly x: number; readonly label: string }[];
  /** The scene whose time is x; -1: none. */
  readonly scene: number;
}

export interface SeriesData {
  readonly name: string;
  readonly points: boolean;
  /** Grey and dashed. */
  readonly aside: boolean;
  /** Whether x grows all the time. */
  readonly ordered: boolean;
  readonly x: Numbers;
  readonly y: Numbers;
}

/**
 * Numbers as Float32 in base64: x is base + scale times such a one, so that what they differ by keeps its digits,
 * and no number is too large. Those of logarithmic axes are 10 to that power.
 */
export interface Numbers {
  readonly base: number;
  readonly scale: number;
  readonly isLog: boolean;
  readonly values: string;
}
