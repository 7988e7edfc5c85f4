// What is mutated, how often, and for how long tests may look for it.

export const SETTINGS = {
  /** Folders of TypeScript, and of AssemblyScript, with the number of mutants of each kind. */
  methods: {
    folders: ["src/methods", "src/seam/projection"],
    count: 130,
  },
  kernels: { folders: ["assembly/dense", "assembly/bodies", "assembly/sparse"], count: 105 },
  /** At most so many of one file: tables of coefficients would be all of the sample otherwise. */
  perFile: 6,
  seed: 20,
  /** Mutants at the same time, each in a copy with a process of its own. */
  lanes: 2,
  /** Seconds of the processor for the tests of one mutant. */
  seconds: 60,
  /** Seconds of tests that run together before somebody looks whether one failed. */
  heap: { least: 6, most: 32 },
  /** Seconds of the processor after which a heap is taken to hang: some, and many times what its tests need. */
  hang: { least: 20, times: 4 },
};

/**
 * Tests that cannot see a mutant: they run what was built, read texts, or compare the release modules with those for
 * debugging, which are not made again.
 */
export const BLIND =
  /^test\/(browser|package|cli|report|mutation|build)\/|^test\/(architecture|bits|text|loading)\.test\.ts$/;
