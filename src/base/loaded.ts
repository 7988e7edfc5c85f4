import { NodriftError } from "./errors.js";

/**
 * Code that few models need. `compile` loads it for those; in all other programs it is a file that is never requested.
 *
 * Rejected: loading it on first use. Simulations are created and changed synchronously.
 */
export class Loaded<Code> {
  readonly #load: () => Promise<Code>;
  readonly #subject: string;
  #code: Code | undefined;

  /** `subject` names what needs the code, for the error of {@link code}. */
  constructor(subject: string, load: () => Promise<Code>) {
    this.#subject = subject;
    this.#load = load;
  }

  /** Loads the code, once. */
  async load(): Promise<void> {
    this.#code ??= await this.#load();
  }

  /** The code. Throws if no model has needed it when it was compiled. */
  get code(): Code {
    if (this.#code) return this.#code;
    throw new NodriftError(
      "DESCRIPTION",
      `${this.#subject} were added to a compiled model that had none: add them to the model, and compile it again`,
    );
  }
}
