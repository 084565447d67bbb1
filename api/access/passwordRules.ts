import { strengthOf } from './passwordStrength.ts';

/** Minimum lengths of passwords, in characters; the contract requires 8 of everybody. */
export interface PasswordLengths {
  PASSWORD_MIN_LENGTH: number;
  OWNER_PASSWORD_MIN_LENGTH: number;
}

/** On zxcvbn's scale of 0 to 4: resists offline guessing of a slow hash. */
const MIN_SCORE = 3;
/** A shorter piece of a name is part of every other password. */
const MIN_WORD_LENGTH = 3;

export interface PasswordOwner {
  isOwner: boolean;
  /** Name, e-mail address and workspaces, which others know. */
  known: readonly string[];
}

/** Returns the problem and advice; undefined if the password is acceptable. Throws RATE_LIMITED if many are waiting. */
export async function passwordProblem(
  password: string,
  { isOwner, known }: PasswordOwner,
  lengths: PasswordLengths,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { PASSWORD_MIN_LENGTH: any, OWNER_PASSWORD_MIN_LENGTH: owners } = lengths;
  const least = isOwner ? Math.max(any, owners) : any;
  if ([...password].length < least) {
    return `expected at least ${least} characters${isOwner ? ', as an owner of a workspace has them' : ''}`;
  }
  if (known.some((text) => folded(text) === folded(password))) {
    return 'expected a password that is harder to guess. Others know this text: it is an address or a name';
  }
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const { score, advice } = await strengthOf(
    password,
    words.filter(({ length }) => length >= MIN_WORD_LENGTH),
    signal,
  );
  if (score >= MIN_SCORE) return undefined;
  return `expected a password that is harder to guess.${advice === '' ? '' : ` ${advice}`}`;
}

/** Case, compatible forms of characters and surrounding spaces add no strength. */
function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
