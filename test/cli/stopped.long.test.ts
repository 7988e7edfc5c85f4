// Commands that are stopped, and files that cannot be written.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandLine } from "../support/command-line.js";

const line = new CommandLine();
const LONG_RUN = ["run", "chain", "--until=5000", "--tolerance=1e-9", "--rate=20"];

beforeAll(() => line.installed());
afterAll(() => line.remove());

const within = (...parts: string[]) => join(line.folder, ...parts);
const read = (...parts: string[]) => readFileSync(within(...parts), "utf8");
/** Names in a folder, including hidden ones. */
const namesIn = (folder: string) =>
  existsSync(within(folder)) ? readdirSync(within(folder)).sort() : [];
const ALL = ["motion.csv", "report.html", "solution.json"];

/** Checks that the files are complete and belong to one run. */
function expectWhole(folder: string): void {
  expect(namesIn(folder)).toEqual(ALL);
  const { times } = JSON.parse(read(folder, "solution.json")) as { times: number[] };
  const rows = read(folder, "motion.csv").split("\r\n");
  expect(rows.pop()).toBe("");
  expect(rows.slice(1).map((row) => Number(row.split(",")[0]))).toEqual(times);
  expect(read(folder, "report.html").trimEnd().endsWith("</html>")).toBe(true);
}

/** Whether a command has used a given CPU time in seconds and is still working. */
const worked = (least: number) => () => (seconds: number) => seconds >= least;

/** Whether a command waits: it has started and used no CPU time for a while. */
function waits() {
  let [before, looks] = [0, 0];
  return (seconds: number) => {
    looks = seconds === before ? looks + 1 : 0;
    before = seconds;
    return seconds > 0.1 && looks >= 10;
  };
}

/** Whether a run has been writing its table for some polls: it notifies its main thread after it has started. */
const writes = (folder: string) => () => {
  let looks = 0;
  return () => {
    if (namesIn(folder).some((name) => name.endsWith(".part"))) looks++;
    return looks >= 8;
  };
};

describe("a signal", () => {
  test.each([
    [[...LONG_RUN, "--out=one"], writes("one")],
    [["compare", "hmmwv"], worked(1)],
    [["reproduce"], worked(1)],
    [["bench"], worked(1)],
    [["run", "-", "--out=input"], waits],
  ])("ends: %j", async (args, begin) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) {
      const stop = { by: [name], when: begin() };
      const { code, err } = await line.nodrift(args, { stop, watch: () => {} });
      // No code: by the signal itself, where a loaded machine did not end the thread in time.
      expect(code ?? 130).toBe(130);
      expect(err).not.toMatch(/\n\s+at /);
      for (const folder of [".", "one", "input"]) {
        expect(namesIn(folder).filter((entry) => /\.part$|lock$/.test(entry))).toEqual([]);
      }
    }
  });

  test("leaves no files when sent twice", async () => {
    const stop = { by: ["SIGINT", "SIGTERM"], when: writes("twice")() } as const;
    const { code } = await line.nodrift([...LONG_RUN, "--out=twice"], { stop });
    expect(code ?? 130).toBe(130);
    expect(namesIn("twice").filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("makes check print its partial results", async () => {
    const stop = { by: ["SIGTERM"], when: worked(1.5)() } as const;
    const found = await line.nodrift(["check", "chain", "--json"], { stop });
    // A fast machine may be done.
    expect([0, 130]).toContain(found.code);
    expect(JSON.parse(found.out)).toMatchObject({ bodies: 60, degreesOfFreedom: 180 });
  });
});

describe("output files", () => {
  test("disappear if incomplete, and older versions stay", async () => {
    expect((await line.nodrift(["run", "pendulum", "--out=kept"])).code).toBe(0);
    expectWhole("kept");
    const before = ALL.map((name) => read("kept", name));
    const script =
      "ulimit -f 20; node_modules/.bin/nodrift run pendulum --until=20 --out=kept; echo code $?";
    const out = await line.run("bash", "-c", `(${script}) 2>&1`);
    expect(out).toContain("code 4");
    expect(out).toContain("kept/motion.csv: file too large for this file system");
    expect(ALL.map((name) => read("kept", name))).toEqual(before);
    expect(namesIn("kept")).toEqual(ALL);
  });

  test.each([
    [
      ["compare", "pendulum", "--methods=dop853", "--tolerances=1e-3", "--out=/dev/full"],
      "the disk is full",
    ],
    [["run", "pendulum", "--out=package.json"], "a file with this name exists"],
    [["run", "pendulum", "--out=package.json/results"], "part of the path is a file"],
    [["run", "pendulum", "--out=/proc/results"], "/proc/results: folder not found"],
    [["reproduce", "welch-table-2", "--out=nowhere/page.html"], "folder not found"],
    [["reproduce", "welch-table-2", "--out=node_modules"], "is a folder"],
  ])("%j cannot be written: a sentence, and 4", async (args, words) => {
    const { code, err } = await line.nodrift(args);
    expect(err).toContain(words);
    expect(err).not.toMatch(/\n\s+at |E[A-Z]{4}/);
    expect(code).toBe(4);
  });

  test("exit with 4 if results do not fit on the device", async () => {
    const script =
      "node_modules/.bin/nodrift run pendulum --json --formats=none > /dev/full; echo $?";
    const out = await line.run("bash", "-c", `(${script}) 2>&1`);
    expect(out).toMatch(/standard output: the disk is full/);
    expect(out.trim().endsWith("4")).toBe(true);
  });

  test("become complete even if standard output has no reader", async () => {
    const script =
      "set -o pipefail; node_modules/.bin/nodrift run pendulum --out=unheard | head -n 1";
    expect(await line.run("bash", "-c", script)).toContain("1 body");
    expectWhole("unheard");
  });

  test("keep devices and links intact", async () => {
    const args = ["compare", "pendulum", "--methods=dop853", "--tolerances=1e-3"];
    await line.run("bash", "-c", "echo old > page.html; ln -s page.html link.html");
    expect((await line.nodrift([...args, "--out=/dev/null"])).code).toBe(0);
    expect((await line.nodrift([...args, "--out=link.html"])).code).toBe(0);
    expect(await line.run("bash", "-c", "test -c /dev/null && test -L link.html; echo $?")).toBe(
      "0\n",
    );
    expect(read("page.html")).toContain("</html>");
  });
});

describe("two runs in one folder", () => {
  test("do not mix: the second fails immediately and the first is not disturbed", async () => {
    let second: ReturnType<CommandLine["nodrift"]> | undefined;
    let isRefused = false;
    const begun = writes("shared")();
    const when = () => {
      if (!second && begun()) {
        second = line.nodrift(["run", "pendulum", "--out=shared"]);
        void second.finally(() => {
          isRefused = true;
        });
      }
      return isRefused;
    };
    const first = await line.nodrift([...LONG_RUN, "--out=shared"], {
      stop: { by: ["SIGINT"], when },
    });
    expect(first.code).toBe(130);
    const { code, err } = await second!;
    expect(err).toMatch(/another run \(process \d+\) is writing to shared: choose another folder/);
    expect(code).toBe(4);
    expect(namesIn("shared").filter((name) => name.startsWith("."))).toEqual([]);
    expect(JSON.parse(read("shared", "solution.json"))).toMatchObject({
      model: "chain of 60 rods",
    });
  });

  test("remove the leftovers of a killed first run", async () => {
    expect((await line.nodrift(["run", "pendulum", "--out=stale"])).code).toBe(0);
    // No process has this id.
    writeFileSync(
      within("stale", ".nodrift-lock"),
      `4194999 ${(await line.run("hostname")).trim()}\n`,
    );
    writeFileSync(within("stale", ".motion.csv.4194999-0.part"), "time\r\n0");
    expect((await line.nodrift(["run", "pendulum", "--out=stale"])).code).toBe(0);
    expectWhole("stale");
  });
});
