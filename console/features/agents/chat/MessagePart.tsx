import { Anchor } from '@mantine/core';
import type { UIMessage } from 'ai';
import type { ReactNode } from 'react';
import { Value } from '../../values/Value.tsx';
import { Markdown } from './Markdown.tsx';
import { isShowable } from './pictures.ts';
import { plainName } from './plainName.ts';
import { CHAT } from './words.ts';

const words = CHAT;

type Part = UIMessage['parts'][number];

/** Renders a part that is not a tool call. `isOwn`: a person wrote it, so its text is not markdown. */
export function MessagePart({ part, isOwn }: { part: Part; isOwn: boolean }) {
  switch (part.type) {
    case 'text':
      return isOwn ? <div className="plain">{part.text}</div> : <Markdown text={part.text} />;
    case 'reasoning':
      if (part.text.trim() === '') return null;
      return (
        <details className="thought">
          <summary>{part.state === 'streaming' ? words.thinking : words.thought}</summary>
          <Markdown text={part.text} />
        </details>
      );
    case 'file':
      return <FilePart url={part.url} mediaType={part.mediaType} name={part.filename} />;
    case 'source-url':
      return <Away href={part.url}>{part.title ?? part.url}</Away>;
    case 'step-start':
      return null;
    default:
      return part.type.startsWith('data-') && 'data' in part ? (
        <details>
          <summary>{words.data(part.type.slice('data-'.length))}</summary>
          <Value value={part.data} />
        </details>
      ) : null;
  }
}

function FilePart({ url, mediaType, name }: { url: string; mediaType: string; name: string | undefined }) {
  const given = name === undefined ? undefined : plainName(name);
  if (mediaType.startsWith('image/') && isShowable(url, location.origin)) {
    return <img className="picture" src={url} alt={given ?? words.picture} />;
  }
  const label = (
    <>
      {words.file} <bdi>{given ?? mediaType}</bdi>
    </>
  );
  return url.startsWith('data:') ? (
    <Anchor href={url} download={given ?? 'file'} underline="always" className="away">
      {label}
    </Anchor>
  ) : (
    <Away href={url}>{label}</Away>
  );
}

function Away({ href, children }: { href: string; children: ReactNode }) {
  if (!/^https?:/i.test(href)) return <div className="away">{children}</div>;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" underline="always" className="away">
      {children}
    </Anchor>
  );
}
