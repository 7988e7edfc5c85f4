import type { Arena, Floats } from "../../../base/memory/arena.js";
import type { BodySegments } from "./memory.js";

/** Arrays of a mechanism that TypeScript reads or writes. */
export interface BodyArrays {
  readonly q: Floats;
  readonly v: Floats;
  readonly loads: Floats;
  readonly phi: Floats;
  readonly phiDot: Floats;
  readonly gamma: Floats;
  readonly data: Floats;
  /** d_j / S_jj of the last factorisation. */
  readonly pivots: Floats;
  /** Data about the ranks of blocks. */
  readonly loopBlocks: Floats;
  readonly masses: Floats;
  /** Records of the frames of the bodies. */
  readonly frames: Floats;
  /** Records of the sensors. */
  readonly sensors: Floats;
}

export function arraysOf(
  arena: Arena,
  segments: BodySegments,
  positions: number,
  velocities: number,
): BodyArrays {
  const { trial, forces } = segments;
  const v = { ...trial, address: trial.address + 8 * positions, slots: velocities };
  return {
    q: arena.floats({ ...trial, slots: positions }),
    v: arena.floats(v),
    loads: arena.floats({ ...forces, slots: velocities }),
    phi: arena.floats(segments.phi),
    phiDot: arena.floats(segments.phiDot),
    gamma: arena.floats(segments.gamma),
    data: arena.floats(segments.data),
    pivots: arena.floats(segments.sparsePivots),
    loopBlocks: arena.floats(segments.loopBlocks),
    masses: arena.floats(segments.masses),
    frames: arena.floats(segments.frames),
    sensors: arena.floats(segments.sensors),
  };
}
