import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Json, JsonObject } from '../../domain/json.ts';
import { pathTo } from '../../domain/place.ts';
import { brokenBody, requireStorable, tooManyParts } from './brokenBody.ts';
import { FormFields } from './formFields.ts';

const FILES = 'files';

interface File {
  field: string;
  name: string;
  contentType: string;
  chunks: Buffer[];
}

/** Returns fields by name and `files: [{field, name, contentType, size, base64}]`. Throws 400 and 413 Problems. */
export async function parseMultipart(contentType: string, rawBody: Buffer, maxParts: number): Promise<JsonObject> {
  const form = new FormFields();
  const files: File[] = [];
  await new Promise<void>((resolve, reject) => {
    const broken = (error: unknown) => reject(brokenBody('', messageOf(error), error));
    const attempt = (work: () => void) => {
      try {
        work();
      } catch (error) {
        reject(error);
      }
    };
    const parser = parserOf(contentType, rawBody.length, maxParts);
    parser.on('file', (field, stream, name, _encoding, type) => {
      const file: File = { field, name: name ?? '', contentType: type, chunks: [] };
      files.push(file);
      stream.on('data', (chunk: Buffer) => file.chunks.push(chunk));
      stream.on('error', broken);
      attempt(() => {
        requireName(field, files.length - 1);
        requireStorable(`${field} ${file.name} ${type}`, pathTo(FILES, files.length - 1));
      });
    });
    parser.on('field', (name, value) =>
      attempt(() => {
        if (name === undefined) throw brokenBody('', 'a part has no name');
        if (name === FILES)
          throw brokenBody(pathTo('', FILES), `the field name ${FILES} is reserved for the uploaded files`);
        form.add(name, value);
      }),
    );
    parser.on('partsLimit', () => reject(tooManyParts(maxParts)));
    parser.on('error', broken);
    parser.on('finish', () => resolve());
    parser.end(rawBody);
  });
  return { ...form.fields, [FILES]: files.filter(({ name, chunks }) => name !== '' || chunks.length > 0).map(shown) };
}

function parserOf(contentType: string, size: number, maxParts: number): BusboyInstance {
  try {
    // The limit of the body also limits its values.
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: maxParts, fieldSize: size + 1 },
    });
  } catch (error) {
    throw brokenBody('', messageOf(error), error);
  }
}

function requireName(field: string | undefined, index: number): void {
  if (field === undefined) throw brokenBody(pathTo(FILES, index), 'the part has no name');
}

function shown({ field, name, contentType, chunks }: File): Json {
  const bytes = Buffer.concat(chunks);
  return { field, name, contentType, size: bytes.length, base64: bytes.toString('base64') };
}

/** The parser's messages quote nothing of the body. */
function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'the form is broken';
}
