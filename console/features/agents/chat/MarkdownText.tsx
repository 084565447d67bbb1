import { Anchor } from '@mantine/core';
import ReactMarkdown, { type Components, defaultUrlTransform } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { isShowable } from './untrustedContent.ts';

const PLUGINS = [remarkGfm];

const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" underline="always" inherit>
      {children}
    </Anchor>
  ),
  // A picture from another server would reveal the reader to it. A link does so only when it is opened.
  img: ({ src, alt }) =>
    typeof src === 'string' && isShowable(src, location.origin) ? (
      <img src={src} alt={alt ?? ''} />
    ) : (
      <Anchor href={typeof src === 'string' ? src : undefined} target="_blank" rel="noopener noreferrer" inherit>
        {alt === undefined || alt === '' ? src : alt}
      </Anchor>
    ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div className="wide" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre tabIndex={0}>{children}</pre>
  ),
};

const urlOf = (url: string) => (isShowable(url, location.origin) ? url : defaultUrlTransform(url));

export function MarkdownText({ text }: { text: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={urlOf}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
