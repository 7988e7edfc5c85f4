import { lonelyBases } from "../support/classes.js";
import { longFiles } from "../support/file-lengths.js";
import { atMost, type Figure } from "./figure.js";

/** Parts in place of base classes with one child, and files about one subject. */
export async function* houseClassFigures(): AsyncGenerator<Figure> {
  yield atMost("base classes of src with one subclass", lonelyBases().length, 0);
  yield atMost("files over 400 lines in src and assembly that are not data", longFiles().length, 0);
}
