// What the browser tests call in a page. Each call is made in a page of its own.

import { NodriftError } from "nodrift";
import { formulaFunction, readModel } from "nodrift/files";
import { ArenaPlan, init } from "nodrift/kernels";
import { type Digests, digestAllCases } from "../../../bench/support/all-cases.js";
import { digestFile } from "../../../bench/support/file-digest.js";
import { digestMechanisms } from "../../../bench/support/mechanism-digest.js";
import { digestSolve } from "../../../bench/support/solve-digest.js";
import { elementaryBits } from "../../support/elementary-bits.js";

/** How an attempt to load went. */
export interface Attempt {
  readonly loaded: boolean;
  readonly code?: string;
  readonly message?: string;
}

const pageCalls = {
  /** All cases here, after waiting for the compiler. */
  async digestAfterInit(): Promise<Digests> {
    await init();
    return digestAllCases();
  },

  /** All cases here; the first system compiles. */
  digestAtOnce(): Digests {
    return digestAllCases();
  },

  /** All cases here, by the file at an address. */
  async digestByAddress(address: string): Promise<Digests> {
    await init(address);
    return digestAllCases();
  },

  /** All ready models here: both modules are compiled on the way. */
  digestMechanisms(): Promise<Record<string, string>> {
    return digestMechanisms();
  },

  /** Motions solved to a tolerance here. */
  digestSolve(): Promise<Record<string, string>> {
    return digestSolve();
  },

  /** A model file, read and solved here. */
  digestFile(text: string): Promise<string> {
    return digestFile(readModel(text));
  },

  /** Elementary functions of formulas. */
  elementaryBits(): ReturnType<typeof elementaryBits> {
    return elementaryBits(formulaFunction);
  },

  /** All cases in a worker, which takes this page's module or compiles for itself. */
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
