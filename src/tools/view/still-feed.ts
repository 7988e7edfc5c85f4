// A model alone: where its bodies start.

import type { CompiledModel, ModelData, NamedNumber } from "../../bodies.js";
import { normalised, rotationOf, subtract, threeAt, times } from "../../ground/algebra/vectors.js";
import type { Frames } from "../report/scene-data.js";
import type { Feed } from "./feed.js";
import { writePose } from "./pose-table.js";

export class StillFeed implements Feed {
  readonly span = undefined;
  readonly moves = false;
  readonly hasSpeed = false;
  readonly frames: Frames;
  isPlaying = false;
  speed = 1;

  constructor(
    readonly data: ModelData,
    readonly time: number,
    positions: readonly number[],
    orientations: readonly number[],
  ) {
    this.frames = { times: [time], positions, orientations, lengthUnit: "m", timeUnit: "s" };
  }

  /** A compiled model as it was assembled; plain data as they were given. */
  static of(source: CompiledModel | ModelData): StillFeed {
    if (!("simulate" in source)) {
      const { bodies } = source;
      const positions = bodies.flatMap(({ position }) => [...position]);
      return new StillFeed(
        source,
        0,
        positions,
        bodies.flatMap(({ orientation }) => [...orientation]),
      );
    }
    const { data, q, time } = source;
    const turns = data.bodies.map((_, i) => normalised([...q.subarray(7 * i + 3, 7 * i + 7)]));
    // q has centres of mass.
    const positions = data.bodies.flatMap(({ centre }, i) => [
      ...subtract(threeAt(q, 7 * i), times(rotationOf(turns[i]!), centre)),
    ]);
    return new StillFeed(data, time, positions, turns.flat());
  }

  advance(): void {}

  matrices(out: Float32Array | Float64Array, offset: number): void {
    const { positions, orientations } = this.frames;
    for (let i = 0; i < this.data.bodies.length; i++) {
      const turn = [0, 1, 2, 3].map((k) => orientations[4 * i + k]!);
      writePose(
        [0, 1, 2].map((k) => positions[3 * i + k]!),
        turn,
        out,
        offset + 16 * i,
      );
    }
  }

  readings(): undefined {
    return undefined;
  }

  parameters(): readonly NamedNumber[] {
    return [];
  }
}
