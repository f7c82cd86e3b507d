import { Text } from "@mantine/core";
import { Fragment } from "react";
import { CodeBlock } from "./code-block.tsx";
import { type Block, inlinesOf } from "./markdown.ts";
import classes from "./markdown-text.module.css";

/** A line of Markdown with its code and strong words. */
export const InlineText = ({ text }: { readonly text: string }) =>
  inlinesOf(text).map((part, at) => {
    if (part.kind === "code") return <code key={at}>{part.text}</code>;
    if (part.kind === "strong") return <strong key={at}>{part.text}</strong>;
    return <Fragment key={at}>{part.text}</Fragment>;
  });

/** Blocks of Markdown below a heading. A table and a heading have components of their own. */
export const MarkdownText = ({ blocks }: { readonly blocks: readonly Block[] }) => (
  <div className={classes.text}>
    {blocks.map((block, at) => (
      <OneBlock key={at} block={block} />
    ))}
  </div>
);

function OneBlock({ block }: { readonly block: Block }) {
  if (block.kind === "code") return <CodeBlock language={block.language} text={block.text} />;
  if (block.kind === "list") {
    return (
      <ol>
        {block.items.map((item, at) => (
          <li key={at}>
            <MarkdownText blocks={item} />
          </li>
        ))}
      </ol>
    );
  }
  return block.kind === "paragraph" ? (
    <Text component="p">
      <InlineText text={block.text} />
    </Text>
  ) : null;
}
