import type { Address } from "../../base/memory/arena.js";
import { arenaRecord } from "../../base/memory/record.js";
import { type StiffMemory, stiffMemory } from "../../base/memory/stiff-memory.js";
import type { Workspace } from "../../base/memory/workspace.js";
import { irreducibleBlocks } from "../../base/sparse/irreducible.js";
import type { SparseMatrix } from "./sparse-lu.js";

/**
 * Signs of the determinants of a matrix's irreducible blocks. Each changes when its block becomes singular. The sign
 * of the full determinant does not change if two blocks become singular together, like those of two equal loops.
 */
export class DeterminantSigns {
  readonly #matrix: SparseMatrix;
  readonly #stiff: StiffMemory;
  readonly #addresses: Readonly<Record<"places" | "blocks" | "signs", Address>>;
  readonly #write: (places: Int32Array, blocks: Int32Array) => void;
  /** Number of blocks, once found; stored in memory like all data found with them. */
  readonly #kept: { count: number };

  /** Reserves memory. */
  constructor(workspace: Workspace, name: string, matrix: SparseMatrix) {
    const { size } = matrix;
    this.#matrix = matrix;
    this.#stiff = stiffMemory(workspace);
    const reserve = (what: string, count: number) =>
      workspace.reserve(`${name}: ${what}`, Math.ceil(count / 2));
    const segments = {
      places: reserve("places", 2 * size),
      blocks: reserve("blocks", size),
      signs: reserve("signs", 2 * size),
    };
    const { places, blocks, signs } = segments;
    this.#addresses = { places: places.address, blocks: blocks.address, signs: signs.address };
    let [ofLines, ofPlaces] = [new Int32Array(0), new Int32Array(0)];
    workspace.whenSealed((arena) => {
      ofLines = arena.integers(places);
      ofPlaces = arena.integers(blocks);
    });
    this.#kept = arenaRecord(workspace, `${name}: number of blocks`, { count: 0 });
    this.#write = (lines, own) => {
      ofLines.set(lines);
      ofPlaces.set(own);
    };
  }

  /** Discards the blocks. Call when the entries of the matrix change. */
  forget(): void {
    this.#kept.count = 0;
  }

  /** Records the signs at the present factor. Returns true if some differ from those recorded before. */
  note(): boolean {
    const kept = this.#kept;
    if (kept.count === 0) {
      const { count, places, blocks } = irreducibleBlocks(this.#matrix.pattern());
      this.#write(places, blocks);
      kept.count = count;
    }
    const { places, blocks, signs } = this.#addresses;
    const { kernels } = this.#stiff;
    const { table } = this.#matrix;
    return kernels.sparseLuSigns(table, places, blocks, kept.count, signs) >= 0;
  }
}
