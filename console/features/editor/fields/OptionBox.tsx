import {
  Button,
  Code,
  Combobox,
  type ComboboxStore,
  Group,
  Loader,
  Text,
  useCombobox,
  VisuallyHidden,
} from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { problemText } from '../../../ui/notices.tsx';
import { WORDS } from '../../../ui/words/words.ts';
import type { InputSpec } from '../model/inputSpecs.ts';
import type { LoadedOptionList } from './useLoadedOptions.ts';
import { FIELDS } from './words.ts';

const words = FIELDS.options;

export interface OptionFieldProps {
  spec: InputSpec;
  field: string;
  error: string | undefined;
  list: LoadedOptionList;
  /** The typed text; undefined while it shows its value. */
  search: string | undefined;
  isOpen: boolean;
  nameOf: (value: string) => string;
  onSearch: (search: string | undefined) => void;
  onOpen: (isOpen: boolean) => void;
}

const USE = 'use';
const MORE = 'more';
/** Keeps values apart from the entries above. */
const VALUE = 'value:';

interface OptionBox {
  store: ComboboxStore;
  listId: string;
  /** Mantine sets them one change late, because it reads the list's id from the list. */
  target: { 'aria-controls': string | undefined; 'aria-expanded': boolean; 'aria-activedescendant'?: null };
  onOptionSubmit: (entry: string) => void;
  /** Props of the input that has the focus. */
  input: {
    value: string;
    onChange: (event: { currentTarget: { value: string } }) => void;
    onClick: () => void;
    onBlur: () => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
}

/** Shared by the fields with one value and with several. Leaving the field takes the typed text. */
export function useOptionBox(
  { list, search, isOpen, onSearch, onOpen }: OptionFieldProps,
  shown: string,
  onTake: (value: string, how: 'picked' | 'typed') => void,
): OptionBox {
  const store = useCombobox({
    opened: isOpen,
    onOpenedChange: onOpen,
    onDropdownClose: () => store.resetSelectedOption(),
  });
  const listId = useId();
  const [, setPresses] = useState(0);
  const count = list.options.length;
  useEffect(() => {
    // After “Load more”, the keyboard continues with the first new option.
    const at = store.getSelectedOptionIndex();
    if (count > 0 && at !== -1) store.selectOption(at);
  }, [count]);
  const take = () => {
    if (search === undefined) return;
    onSearch(undefined);
    const text = search.trim();
    onTake(matching(list, text)?.value ?? text, 'typed');
  };
  return {
    store,
    listId,
    target: {
      ...{ 'aria-controls': isOpen ? listId : undefined, 'aria-expanded': isOpen },
      // The option that it names may be gone. Mantine ignores undefined.
      ...(store.getSelectedOptionIndex() === -1 ? { 'aria-activedescendant': null } : {}),
    },
    onOptionSubmit: (entry) => {
      if (entry === MORE) return list.isLoading ? undefined : list.loadMore();
      if (entry === USE) return take();
      if (search !== undefined) store.resetSelectedOption();
      onSearch(undefined);
      onTake(entry.slice(VALUE.length), 'picked');
    },
    input: {
      value: search ?? shown,
      onChange: ({ currentTarget }) => {
        onSearch(currentTarget.value);
        store.resetSelectedOption();
        store.openDropdown();
      },
      onClick: () => store.openDropdown(),
      onBlur: () => {
        take();
        store.closeDropdown();
      },
      onKeyDown: (event) => {
        // Renders with the option that this key selects.
        setPresses((count) => count + 1);
        if (event.key === 'Escape') onSearch(undefined);
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || store.getSelectedOptionIndex() !== -1) return;
        event.preventDefault();
        take();
        store.closeDropdown();
      },
    },
  };
}

const matching = ({ options }: LoadedOptionList, text: string) =>
  options.find(({ value }) => value === text) ?? options.find(({ label }) => label === text);

interface OptionDropdownProps extends Pick<OptionFieldProps, 'list' | 'search'> {
  id: string;
  label: string;
  chosen: readonly string[];
}

export function OptionDropdown({ id, label, list, search, chosen }: OptionDropdownProps) {
  const { options, isLoading, hasMore, error } = list;
  const text = search?.trim() ?? '';
  const isNone = options.length === 0 && !isLoading && error === null;
  return (
    <Combobox.Dropdown>
      <Combobox.Options id={id} aria-label={label} mah={240} style={{ overflowY: 'auto' }}>
        {options.map((option) => {
          const isChosen = chosen.includes(option.value);
          return (
            <Combobox.Option
              key={option.value}
              value={`${VALUE}${option.value}`}
              active={isChosen}
              aria-selected={isChosen}
              fw={isChosen ? 600 : undefined}
            >
              {option.label}
            </Combobox.Option>
          );
        })}
        {isNone && <Combobox.Empty>{text === '' ? words.none : words.noneMatch}</Combobox.Empty>}
        {isLoading && !hasMore && <Combobox.Empty>{words.loading}</Combobox.Empty>}
        {hasMore && (
          <Combobox.Option value={MORE} aria-selected={false} c="var(--mantine-color-anchor)">
            {isLoading ? words.loading : words.more}
          </Combobox.Option>
        )}
        {text !== '' && matching(list, text) === undefined && (
          <Combobox.Option value={USE} aria-selected={false}>
            {words.use(text)}
          </Combobox.Option>
        )}
      </Combobox.Options>
    </Combobox.Dropdown>
  );
}

export const optionSection = ({ hint, isLoading }: LoadedOptionList): ReactNode =>
  isLoading ? <Loader size={16} aria-hidden /> : hint === undefined ? <Combobox.Chevron /> : null;

/** `value`: a stored value whose label the field shows. */
export function OptionHelp({
  help,
  hint,
  value,
}: {
  help?: string | undefined;
  hint: string | undefined;
  value?: string | undefined;
}) {
  return (
    <>
      {help}
      {value !== undefined && (
        <span style={{ display: 'block', overflowWrap: 'anywhere' }}>
          {words.value} <Code>{value}</Code>
        </span>
      )}
      {hint !== undefined && <span style={{ display: 'block' }}>{hint}</span>}
    </>
  );
}

interface OptionStateProps extends Pick<OptionFieldProps, 'list' | 'isOpen'> {
  store: ComboboxStore;
}

/** Reads out how the loading went, and shows why it failed. */
export function OptionState({ list, isOpen, store }: OptionStateProps) {
  const { options, isLoading, hasMore, error } = list;
  const tryAgain = () => {
    list.tryAgain();
    store.openDropdown();
    store.focusTarget();
  };
  return (
    <>
      <VisuallyHidden role="status">
        {isOpen && error === null && (isLoading ? words.loading : words.count(options.length, hasMore))}
      </VisuallyHidden>
      {error !== null && <LoadingFailure error={error} onRetry={tryAgain} />}
    </>
  );
}

export function LoadingFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Group gap="xs" mt={4} role="alert">
      <Text size="sm" c="var(--ink-bad)" style={{ overflowWrap: 'anywhere' }}>
        {words.failed(problemText(error))}
      </Text>
      <Button
        size="compact-xs"
        variant="default"
        // Leaving the field would take what is typed, and with it remove this button before the click.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onRetry}
      >
        {WORDS.retryLoad}
      </Button>
    </Group>
  );
}
