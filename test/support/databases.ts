// Redis and PostgreSQL on loopback, each in its own folder, for tests and figures of campaigns. Debian's packages
// have the programs; `installServers` installs missing ones if that is permitted.

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A running server. */
export interface TestServer {
  /** Address for `--on`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number | undefined;
  /** Restarts it with its data. */
  restart(pauseMilliseconds?: number): Promise<void>;
  /** Suspends it for a time, like a cut connection. */
  freeze(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

const find = (folders: readonly string[], name: string) =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path));

function postgresFolders(): string[] {
  const base = "/usr/lib/postgresql";
  return existsSync(base) ? readdirSync(base).map((version) => join(base, version, "bin")) : [];
}

export const findRedis = () => find(["/usr/bin", "/usr/local/bin"], "redis-server");
export const findPostgres = () =>
  find([...postgresFolders(), "/usr/bin", "/usr/local/bin"], "initdb");

/** Installs missing programs in CI and with `npm test -- --install`, if apt-get is permitted. */
export function installServers(): void {
  if (findRedis() && findPostgres()) return;
  if (process.env.CI !== "true" && process.env.NODRIFT_INSTALL !== "true") return;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log("installs redis-server and postgresql with apt-get");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update"], { env, stdio: "ignore" });
  spawnSync("apt-get", ["install", "-y", "redis-server", "postgresql"], { env, stdio: "ignore" });
}

/** A free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

async function until(isReady: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 3000; i++) {
    if (isReady()) return;
    await pause(100);
  }
  throw new Error(`${what} did not start`);
}

/** Processes of the server: a program run as another user has a parent process. */
class Running implements TestServer {
  #child: ChildProcess | undefined;

  constructor(
    readonly url: string,
    readonly port: number,
    readonly folder: string,
    readonly begin: () => ChildProcess,
    readonly isReady: () => boolean,
  ) {}

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<this> {
    this.#child = this.begin();
    await until(this.isReady, this.url);
    return this;
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    // Its own process group, which includes its children.
    try {
      process.kill(-pid, signal);
    } catch {
      // It has exited.
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    this.#signal(signal);
    await Promise.race([gone, pause(120_000)]);
  }

  async restart(wait = 0): Promise<void> {
    await this.#end("SIGINT");
    await pause(wait);
    await this.start();
  }

  async freeze(milliseconds: number): Promise<void> {
    this.#signal("SIGSTOP");
    await pause(milliseconds);
    this.#signal("SIGCONT");
  }

  async stop(): Promise<void> {
    await this.#end("SIGINT");
    this.#signal("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Redis with or without an append-only file, which preserves data over a restart. Listens on loopback, and on another
 * address if one is given.
 */
export async function startRedis({
  host = "127.0.0.1",
  isForgetful = false,
} = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "nodrift-redis-"));
  const port = await freePort();
  const args = [
    "--port",
    `${port}`,
    "--bind",
    ...new Set(["127.0.0.1", host]),
    "--protected-mode",
    "no",
    "--dir",
    folder,
    "--appendonly",
    isForgetful ? "no" : "yes",
    "--save",
    "",
  ];
  const redis = findRedis()!;
  const begin = () => spawn(redis, args, { stdio: "ignore", detached: true });
  const ping = () => {
    const { stdout } = spawnSync("redis-cli", ["-p", `${port}`, "ping"], { encoding: "utf8" });
    return stdout?.includes("PONG") === true;
  };
  return new Running(`redis://${host}:${port}`, port, folder, begin, ping).start();
}

/** PostgreSQL, which refuses to run as root and then runs as the user postgres. */
export async function startPostgres(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "nodrift-postgres-"));
  const port = await freePort();
  const initdb = findPostgres()!;
  const bin = initdb.slice(0, -"initdb".length);
  const isRoot = process.getuid?.() === 0;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  const owner = isRoot ? { uid: id("-u"), gid: id("-g") } : {};
  if (isRoot) chownSync(folder, id("-u"), id("-g"));
  const data = join(folder, "data");
  execFileSync(
    initdb,
    ["-D", data, "-U", "nodrift", "-A", "trust", "-N", "--locale=C", "-E", "UTF8"],
    {
      stdio: "ignore",
      cwd: folder,
      ...owner,
    },
  );
  const args = ["-D", data, "-p", `${port}`, "-h", "127.0.0.1", "-k", folder, "-F"];
  const begin = () =>
    spawn(`${bin}postgres`, args, { stdio: "ignore", detached: true, cwd: folder, ...owner });
  const ready = () =>
    spawnSync(`${bin}pg_isready`, ["-h", "127.0.0.1", "-p", `${port}`], { stdio: "ignore" })
      .status === 0;
  return new Running(
    `postgres://nodrift@127.0.0.1:${port}/postgres`,
    port,
    folder,
    begin,
    ready,
  ).start();
}
