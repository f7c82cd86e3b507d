import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { Keyboard, type LucideIcon, Moon, Sun } from "lucide-react";
import { usePerson } from "../../server/session.ts";
import { type Command, commandsFor } from "./commands.ts";
import { messages } from "./messages.ts";

const texts = messages.actions;

/** A page that the rail links to. */
export interface RailPage {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
}

/** The actions that the reader may do and the pages that they may open. */
export function useCommands(railPages: readonly RailPage[], onKeys: () => void) {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  const { actions, pages } = commandsFor(usePerson()?.permissions ?? []);
  const own: readonly Command[] = [
    isDark
      ? { ...texts.light, icon: Sun, run: () => setColorScheme("light") }
      : { ...texts.dark, icon: Moon, run: () => setColorScheme("dark") },
    { ...texts.shortcuts, icon: Keyboard, run: onKeys },
  ];
  const rail = railPages
    .filter(({ to }) => pages.every(({ run }) => run !== to))
    .map(({ to, label, icon }): Command => ({ label, icon, run: to }));
  return { actions: [...actions, ...own], pages: [...rail, ...pages] };
}
