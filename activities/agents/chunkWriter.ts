import type { UIMessageChunk } from 'ai';
import { mergeDeltas } from '../../domain/agent/mergeDeltas.ts';
import type { WrittenChunks } from '../../prisma/store/turn/writeChunks.ts';

export interface ChunkWriterOptions {
  sequence: number;
  /** Undefined if the attempt may no longer write. */
  write(sequence: number, chunks: readonly UIMessageChunk[]): Promise<WrittenChunks | undefined>;
  /** Called when a person stops the turn, or when streamed chunks are no longer used. */
  onStop(): void;
  /** Milliseconds for which chunks are gathered. The first ones are written immediately. */
  gatherMs: number;
}

export class ChunkWriter {
  readonly #options: ChunkWriterOptions;
  #sequence: number;
  #waiting: UIMessageChunk[] = [];
  #writing: Promise<void> | undefined;
  #failure: unknown;
  #isEnding = false;
  #wake: () => void = () => undefined;

  constructor(options: ChunkWriterOptions) {
    this.#options = options;
    this.#sequence = options.sequence;
  }

  push(chunks: readonly UIMessageChunk[]): void {
    if (chunks.length === 0) return;
    this.#waiting.push(...chunks);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Stops writing, and returns the unwritten chunks with their sequence number. Throws the error of a failed write. */
  async end(): Promise<{ sequence: number; chunks: UIMessageChunk[] }> {
    this.#isEnding = true;
    this.#wake();
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
    return { sequence: this.#sequence + 1, chunks: mergeDeltas(this.#waiting) };
  }

  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && !this.#isEnding) {
        const began = Date.now();
        const chunks = mergeDeltas(this.#waiting.splice(0));
        this.#sequence += 1;
        const written = await this.#options.write(this.#sequence, chunks);
        if (!written || written.stopRequested) this.#options.onStop();
        await this.#pause(this.#options.gatherMs - (Date.now() - began));
      }
    } catch (error) {
      this.#failure = error;
      this.#options.onStop();
    }
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isEnding || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
