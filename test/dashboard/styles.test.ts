import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const sources = readdirSync(join(root, "dashboard/src"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => readFileSync(join(root, "dashboard/src", path), "utf8"));

/** `{ Button, Menu as Choices, type ButtonProps }` names Button and Menu. */
const namesIn = (list: string): string[] =>
  list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("type "))
    .map((each) => each.split(" ")[0] ?? "");

test("loads the styles of every Mantine component in use", () => {
  const used = sources.flatMap((text) =>
    [...text.matchAll(/import \{([^}]+)\} from "@mantine\/core"/g)].flatMap(([, list = ""]) =>
      namesIn(list),
    ),
  );
  const styled = [...new Set(used)].filter((name) =>
    existsSync(join(root, `node_modules/@mantine/core/styles/${name}.css`)),
  );
  const list = ["styles.ts", "late-styles.ts"]
    .map((name) => readFileSync(join(root, "dashboard/src/base", name), "utf8"))
    .join("");
  expect(styled.length).toBeGreaterThan(5);
  expect(styled.filter((name) => !list.includes(`/${name}.css"`))).toEqual([]);
});
