// Rows that are not linear in velocities, as vx^2 + vy^2 - vz^2, may have no derivative where a run starts: at rest. No force then
// holds them, and the rank that is found at the start would leave them out for good. So such a start is refused.

import { NodriftError } from "../../../ground/errors.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { BodySystem } from "../system/system.js";

export class IdleRows {
  readonly #system: BodySystem;
  readonly #force: Address;
  readonly #row: Address;
  #rows = new Float64Array(0);

  /** Reserves memory: before the system's is sealed. */
  constructor(system: BodySystem) {
    const { workspace } = system;
    this.#system = system;
    this.#force = workspace.vector("force of a row on velocities", system.coordinates.velocities);
    const row = workspace.reserve("multipliers of a row on velocities", system.constraints.rows);
    this.#row = row.address;
    workspace.whenSealed((arena) => {
      this.#rows = arena.floats(row);
    });
  }

  /** Throws where such a row has no derivative at the trial state. */
  check(): void {
    const { quantities, constraints, coordinates, workspace } = this.#system;
    if (!quantities.areRowsNonlinear) return;
    const { blocks, model } = quantities.plan;
    for (const { block, firstRow, joint } of blocks) {
      if (!block.user?.areNonlinear) continue;
      block.user.names.forEach((name, i) => {
        this.#rows.fill(0);
        this.#rows[firstRow + i] = 1;
        constraints.jacobianTransposeTimes(this.#row, this.#force);
        const { kernels } = workspace;
        if (kernels.largestMagnitude(coordinates.velocities, this.#force) > 0) return;
        throw new NodriftError(
          "SINGULAR",
          `constraint "${model.joints[joint]!.name}": the row "${name}" is not linear in velocities, and does not change with them ` +
            "at the start, so that no force can hold it: give bodies velocities at which it holds and changes",
        );
      });
    }
  }
}
