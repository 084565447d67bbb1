export class EngineAway extends Error {
  constructor(cause: unknown) {
    super('The engine does not answer', { cause });
    this.name = 'EngineAway';
  }
}
