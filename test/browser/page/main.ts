// Functions that the browser tests call in a page; each call uses a new page.

import { NodriftError } from "nodrift";
import { formulaFunction, readModel } from "nodrift/files";
import { ArenaPlan, init } from "nodrift/kernels";
import { type Digests, digestAllCases } from "../../support/all-cases.js";
import { elementaryBits } from "../../support/elementary-bits.js";
import { digestFile } from "../../support/file-digest.js";
import { digestMechanisms } from "../../support/mechanism-digest.js";
import { digestSolve } from "../../support/solve-digest.js";

/** Result of an attempt to load. */
export interface Attempt {
  readonly loaded: boolean;
  readonly code?: string;
  readonly message?: string;
}

const pageCalls = {
  /** Digests all cases in the page, after `init`. */
  async digestAfterInit(): Promise<Digests> {
    await init();
    return digestAllCases();
  },

  /** Digests all cases in the page; the first system compiles the module. */
  digestAtOnce(): Digests {
    return digestAllCases();
  },

  /** Digests all cases in the page, with the file at an address. */
  async digestByAddress(address: string): Promise<Digests> {
    await init(address);
    return digestAllCases();
  },

  /** Digests all models of nodrift/mechanisms, which compiles both modules. */
  digestMechanisms(): Promise<Record<string, string>> {
    return digestMechanisms();
  },

  /** Digests adaptive runs. */
  digestSolve(): Promise<Record<string, string>> {
    return digestSolve();
  },

  /** Digests the solution of a model file. */
  digestFile(text: string): Promise<string> {
    return digestFile(readModel(text));
  },

  /** Returns the bits of elementary functions of formulas. */
  elementaryBits(): ReturnType<typeof elementaryBits> {
    return elementaryBits(formulaFunction);
  },

  /** Digests all cases in a worker, which receives the page's module or compiles its own. */
  async digestInWorker(share: boolean): Promise<Digests> {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    const answer = new Promise<Digests>((resolve, reject) => {
      worker.onmessage = ({ data }) =>
        "error" in data ? reject(new Error(data.error)) : resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message || "the worker did not start"));
    });
    worker.postMessage(share ? await init() : undefined);
    return answer;
  },

  tryInit(address?: string): Promise<Attempt> {
    return attempt(() => init(address));
  },

  trySystem(): Promise<Attempt> {
    return attempt(() => new ArenaPlan().seal());
  },
};

async function attempt(load: () => unknown): Promise<Attempt> {
  try {
    await load();
    return { loaded: true };
  } catch (error) {
    if (!(error instanceof NodriftError)) throw error;
    return { loaded: false, code: error.code, message: error.message };
  }
}

declare global {
  var calls: PageCalls;
}

export type PageCalls = typeof pageCalls;

globalThis.calls = pageCalls;
