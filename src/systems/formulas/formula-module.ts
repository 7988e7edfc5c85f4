// Compiled formulas in the memory of a system.

import { NodriftError } from "../../base/errors.js";
import type { Arena, Segment } from "../../base/memory/arena.js";
import { elementary } from "../../base/wasm/elementary.js";
import {
  type CompiledFormulas,
  compileFormulas,
  type Extra,
  type ImportedKernel,
  scratchSlots,
} from "../../formulas/compiled/compile.js";
import type { FunctionSpec } from "../../formulas/compiled/function-spec.js";
import { interpreted } from "../../formulas/compiled/interpreter.js";
import { tableFunctions } from "../../formulas/compiled/table-writer.js";

/** Functions over the memory of a system. */
export type FormulaFunctions = Readonly<Record<string, (...addresses: number[]) => number>>;

/** A set of functions, compiled once for all systems with the same addresses. */
export class FormulaModule {
  readonly #specs: readonly FunctionSpec[];
  readonly #compiled: CompiledFormulas;
  #module: WebAssembly.Module | undefined;
  /** Functions of tables, which are stateless and shared by all memories. */
  #tables: WebAssembly.ModuleImports | undefined;
  /** Whether the host forbids compilation. */
  #isForbidden = false;

  constructor(
    specs: readonly FunctionSpec[],
    scratch: Segment,
    kernels: readonly ImportedKernel[] = [],
    extras: readonly Extra[] = [],
  ) {
    this.#specs = specs;
    if (scratchSlots(specs) > scratch.slots) {
      throw new NodriftError(
        "MEMORY",
        "the formulas are too large to be compiled: use fewer or shorter ones",
      );
    }
    this.#compiled = compileFormulas(specs, scratch.address, kernels, extras);
  }

  /**
   * Instantiates the functions in a memory: compiled, or interpreted if compilation is forbidden or interpretation is
   * requested. Extras may call `others` as they call kernels.
   */
  in(arena: Arena, isInterpreted = false, others?: FormulaFunctions): FormulaFunctions {
    const module = isInterpreted ? undefined : this.#compile();
    if (!module) {
      const memory = new Float64Array(arena.memory.buffer as ArrayBuffer);
      return Object.fromEntries(this.#specs.map((spec) => [spec.name, interpreted(spec, memory)]));
    }
    this.#tables ??= tableFunctions(this.#compiled.tables);
    const imports = {
      env: { memory: arena.memory },
      elementary: elementary() as unknown as WebAssembly.ModuleImports,
      kernels: (others
        ? { ...arena.kernels, ...others }
        : arena.kernels) as unknown as WebAssembly.ModuleImports,
      tables: this.#tables,
    };
    return new WebAssembly.Instance(module, imports).exports as unknown as FormulaFunctions;
  }

  /** Whether the functions are WebAssembly. */
  get isCompiled(): boolean {
    return this.#module !== undefined;
  }

  #compile(): WebAssembly.Module | undefined {
    if (this.#module || this.#isForbidden) return this.#module;
    try {
      this.#module = new WebAssembly.Module(this.#compiled.bytes);
    } catch (error) {
      // An invalid module of this package is a defect, and must not be hidden by slow formulas.
      const { name } = error as Error;
      if (name === "CompileError" && WebAssembly.validate(this.#compiled.bytes) === false)
        throw error;
      this.#isForbidden = true;
    }
    return this.#module;
  }
}
