// Numbers that a page asked for by formulas: those of outputs of model files.

import type { BodyState } from "../../../bodies.js";
import type { ModelData } from "../../../describe/model/model-data.js";
import { NodriftError } from "../../../ground/errors.js";
import { parseStateFormula } from "../../files/index.js";
import type { Drive } from "./drive.js";

/** A system without bodies has energy and errors of its constraints all the same. */
const NO_BODIES = { name: "", bodies: [], joints: [], markers: [], forces: [], userForces: [] };

/** Reads each of the formulas at the present state. */
export function valueReaders(drive: Drive, formulas: readonly string[]): (() => number)[] {
  const data = (drive.data ?? NO_BODIES) as unknown as ModelData;
  return formulas.map((text) => {
    const { read } = parseStateFormula(text, data);
    return () => {
      try {
        // A simulation answers as a state does.
        return read(drive.readable as BodyState);
      } catch (error) {
        // Reactions of a singular pose, for instance: there is no number, and the motion goes on.
        if (error instanceof NodriftError) return Number.NaN;
        throw error;
      }
    };
  });
}
