import { lonelyBases } from "../../test/support/classes.js";
import { atMost, type Figure } from "./figure.js";

/** Composition in place of base classes with one subclass. */
export async function* structureClassFigures(): AsyncGenerator<Figure> {
  yield atMost("base classes of src with one subclass", lonelyBases().length, 0);
}
