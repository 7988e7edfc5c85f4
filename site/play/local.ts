// Model file served by `nodrift play`; read again whenever it changes.

/** Shows the served file, now and after each change. Returns whether a file is served. */
export async function follow(show: (text: string) => void): Promise<boolean> {
  if (!new URLSearchParams(location.search).has("file")) return false;
  const read = async () => {
    const answer = await fetch("./served-model.json", { cache: "no-store" });
    if (answer.ok) show(await answer.text());
    return answer.ok;
  };
  if (!(await read())) return false;
  new EventSource("./changes").addEventListener("message", () => void read());
  return true;
}
