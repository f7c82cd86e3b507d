import { constants, type Stats } from "node:fs";
import {
  access,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { basename, join } from "node:path";
import { systemClock } from "#base/clock.ts";
import {
  type ArrivedFile,
  type Inbox,
  type OpenInbox,
  UnreadableFile,
} from "#schedule/folder/inbox.ts";
import { err, ok, type Result } from "#base/result.ts";

const NAME_BYTES_MAX = 180;
/**
 * Time limit in milliseconds for access to a folder. A dead network mount can block a call for
 * hours.
 */
const PATIENCE_MS = 3_000;

/**
 * Opens folders below one root that the operator has configured. Links are never followed: a user
 * who may write into a folder could otherwise have any file of the server read.
 */
export function openFoldersIn(root: string | undefined): OpenInbox {
  const looking = new Map<string, Promise<readonly ArrivedFile[]>>();
  return async (name) => {
    if (root === undefined) return err("WATCH_FOLDER is not set, so no folder is being watched");
    const place = await withinPatience(checked(root, name));
    if (place === null) return err(`the folder ${name} does not respond`);
    return place.ok ? ok(inboxAt(place.value, name, looking)) : place;
  };
}

async function checked(root: string, name: string): Promise<Result<string, string>> {
  try {
    const path = join(await realpath(root), name);
    if (!(await lstat(path)).isDirectory()) return err(`${name} is not a folder`);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(path);
  } catch (error) {
    return err(`the folder ${name} cannot be read and written (${codeOf(error)})`);
  }
}

function inboxAt(
  path: string,
  name: string,
  looking: Map<string, Promise<readonly ArrivedFile[]>>,
): Inbox {
  return {
    async list() {
      const begun = looking.get(path) ?? filesIn(path).finally(() => looking.delete(path));
      looking.set(path, begun);
      try {
        const files = await withinPatience(begun);
        return files ? ok(files) : err(`the folder ${name} does not respond`);
      } catch (error) {
        return err(`the folder ${name} cannot be read (${codeOf(error)})`);
      }
    },
    open: (file) => bytesOf(path, file),
    async moveAway(file, where, label) {
      const folder = await folderIn(path, where);
      await rename(join(path, file.name), join(folder, `${label} ${file.name}`));
    },
    async writeResult(name, content) {
      const folder = await folderIn(path, "out");
      const unfinished = join(folder, `.${name}.part`);
      // One left by a killed process, or a link in its place.
      await rm(unfinished, { force: true });
      {
        await using handle = await open(unfinished, "wx", RESULT_MODE);
        await confirmPlace(handle, folder, unfinished);
        await writeFile(handle, content);
        await handle.sync();
      }
      await rename(unfinished, join(folder, name));
      await using directory = await open(folder, "r");
      // Without this, a power failure can undo the rename.
      await directory.sync();
    },
  };
}

/**
 * Confirms that a new file is in its folder.
 *
 * @throws Error if a link replaced the folder before the file was opened.
 */
async function confirmPlace(handle: FileHandle, folder: string, path: string): Promise<void> {
  const [opened, placed] = [await handle.stat(), await lstat(path)];
  const isSame = opened.ino === placed.ino && opened.dev === placed.dev;
  if (!isSame || (await realpath(folder)) !== folder)
    throw new Error(`${basename(folder)} was replaced while a file was being written`);
}

/** Result files contain account numbers. */
const RESULT_MODE = 0o640;

/**
 * Returns a folder in the watched folder, and creates it if it is missing.
 *
 * @throws Error for a link in its place: files would be written to another folder.
 */
async function folderIn(path: string, name: string): Promise<string> {
  const folder = join(path, name);
  await mkdir(folder, { recursive: true });
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${name} is not a folder`);
  return folder;
}

/** Files for a schedule. Hidden files and names that end in ".part" are still being written. */
const IS_FILE = /^[^.].*\.(csv|xlsx)$/i;

async function filesIn(path: string): Promise<readonly ArrivedFile[]> {
  const names = (await readdir(path)).filter((name) => IS_FILE.test(name));
  const files = await Promise.all(
    names.toSorted().map(async (name) => {
      // Null: the file was removed after its name was read.
      const stat = await lstat(join(path, name)).catch(() => null);
      if (!stat || stat.isDirectory()) return null;
      return arrived(name, stat);
    }),
  );
  return files.filter((file) => file !== null);
}

const arrived = (name: string, stat: Stats): ArrivedFile => ({
  name,
  identity: `${stat.ino} ${stat.size} ${stat.mtimeMs} ${name}`,
  bytes: stat.size,
  arrivedAt: new Date(Math.floor(stat.ctimeMs)),
  whyNot: stat.isFile()
    ? Buffer.byteLength(name) > NAME_BYTES_MAX
      ? `its name is longer than ${NAME_BYTES_MAX} bytes`
      : null
    : "it is a link or a device, not a file",
});

async function* bytesOf(path: string, file: ArrivedFile): AsyncGenerator<Uint8Array> {
  // Do not follow a link, and do not block on a pipe that was put in the file's place.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    await using handle = await open(join(path, file.name), flags);
    const stat = await handle.stat();
    if (!stat.isFile() || arrived(file.name, stat).identity !== file.identity) {
      throw new UnreadableFile(`${file.name} has just been changed or replaced.`);
    }
    yield* handle.createReadStream({ autoClose: false });
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile(`${file.name} cannot be read (${codeOf(error)}).`, { cause: error });
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "unknown cause";

/** Returns null if the call takes too long. The call continues, and is not repeated meanwhile. */
async function withinPatience<T>(asked: Promise<T>): Promise<T | null> {
  const answered = new AbortController();
  const late = systemClock.sleep(PATIENCE_MS, answered.signal).then(() => null);
  try {
    return await Promise.race([asked, late]);
  } finally {
    answered.abort();
  }
}
