-- Queue items.

-- Returns all texts, numbers and booleans of an item for searches: values, not member names.
CREATE FUNCTION queue_item_text(p_external_id text, p_data jsonb, p_metadata jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT concat_ws(E'\n', p_external_id, (
    SELECT string_agg(v #>> '{}', E'\n')
    FROM jsonb_path_query(jsonb_build_array(p_data, p_metadata), 'strict $.**') v
    WHERE jsonb_typeof(v) IN ('string', 'number', 'boolean')))
$$;

-- moved_by, moved_note and moved_id describe the latest move, which a repeatable request names by an id. due_at: when
-- the item becomes ready, NULL if it is: then ready_rank is its position, the only key of the index for claims.
CREATE TABLE queue_items (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  queue_id uuid NOT NULL REFERENCES queues ON DELETE CASCADE,
  external_id text,
  status text NOT NULL DEFAULT 'PENDING'
    CHECK (status IN ('PENDING', 'PROCESSING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  priority integer NOT NULL DEFAULT 0,
  data jsonb NOT NULL,
  metadata jsonb NOT NULL,
  object_id uuid REFERENCES objects ON DELETE SET NULL,
  max_retries integer,
  retry_delay_minutes double precision,
  retry_count integer NOT NULL DEFAULT 0,
  scheduled_for timestamptz(3),
  next_retry_at timestamptz(3),
  due_at timestamptz(3) CHECK (due_at IS NULL OR status IN ('PENDING', 'RETRYING')),
  last_error text,
  last_error_at timestamptz(3),
  processing_started_at timestamptz(3),
  processing_completed_at timestamptz(3),
  -- The execution that processes it now, and the latest one that was linked to it.
  execution_id uuid REFERENCES executions ON DELETE SET NULL CHECK (execution_id IS NULL OR status = 'PROCESSING'),
  last_execution_id uuid REFERENCES executions ON DELETE SET NULL,
  -- Fencing number, incremented by each claim: the holder of an older number has lost the lease.
  lease_number integer NOT NULL DEFAULT 0,
  lease_worker text,
  lease_by jsonb,
  lease_expires_at timestamptz(3) CHECK (lease_expires_at IS NULL OR status = 'PROCESSING'),
  created_by jsonb,
  -- The persons who added it or changed its data (starters_of_change): its execution runs on their behalf.
  starters uuid[] NOT NULL DEFAULT '{}',
  moved_by jsonb,
  moved_note text,
  moved_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ready_rank integer GENERATED ALWAYS AS (
    CASE WHEN status IN ('PENDING', 'RETRYING') AND due_at IS NULL THEN priority END) STORED
);
-- Among existing items: deleting an item frees its externalId.
CREATE UNIQUE INDEX queue_items_external_id_key ON queue_items (queue_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX queue_items_queue_id_priority_created_at_id_idx ON queue_items (queue_id, priority DESC, created_at, id);
CREATE INDEX queue_items_queue_id_status_priority_created_at_id_idx
  ON queue_items (queue_id, status, priority DESC, created_at, id);
CREATE INDEX queue_items_ready_idx ON queue_items (queue_id, ready_rank DESC, created_at, id)
  WHERE ready_rank IS NOT NULL;
-- The oldest ready item, regardless of priority.
CREATE INDEX queue_items_oldest_ready_idx ON queue_items (queue_id, created_at) WHERE ready_rank IS NOT NULL;
-- Ready retries only: there may be few of them behind many other items.
CREATE INDEX queue_items_ready_retries_idx ON queue_items (queue_id, ready_rank DESC, created_at, id)
  WHERE ready_rank IS NOT NULL AND status = 'RETRYING';
CREATE INDEX queue_items_due_of_queue_idx ON queue_items (queue_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX queue_items_due_idx ON queue_items (workspace_bucket(workspace_id), due_at) WHERE due_at IS NOT NULL;
CREATE INDEX queue_items_lease_idx ON queue_items (workspace_bucket(workspace_id), lease_expires_at)
  WHERE lease_expires_at IS NOT NULL;
CREATE INDEX queue_items_execution_idx ON queue_items (execution_id) WHERE execution_id IS NOT NULL;
CREATE INDEX queue_items_last_execution_idx ON queue_items (last_execution_id) WHERE last_execution_id IS NOT NULL;
CREATE INDEX queue_items_object_idx ON queue_items (object_id, priority DESC, created_at, id) WHERE object_id IS NOT NULL;
-- Ended items by time, for retention and for the first five minutes of a day's statistics.
CREATE INDEX queue_items_ended_idx ON queue_items (queue_id, processing_completed_at, status)
  WHERE status IN ('COMPLETED', 'FAILED', 'CANCELLED');

-- The searchable text. A table of its own, because each move rewrites an item's row in every index of queue_items.
CREATE TABLE queue_item_texts (
  item_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  queue_id uuid NOT NULL,
  text text NOT NULL
);
-- The plan depends on how rare the text is; the sample must recognize one item in a thousand.
ALTER TABLE queue_item_texts ALTER COLUMN text SET STATISTICS 1000;

-- Without pg_trgm, searches read every item of the queue. Without btree_gin, all queues share one index, and words that
-- are frequent elsewhere cost reads.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  BEGIN
    CREATE EXTENSION IF NOT EXISTS btree_gin;
    CREATE INDEX queue_items_search_idx ON queue_item_texts USING gin (queue_id, text gin_trgm_ops);
  EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege THEN
    RAISE NOTICE 'btree_gin is not there: searches of queue items share one index. Create the extension, then the index queue_items_search_idx as the migration does.';
    CREATE INDEX queue_items_search_idx ON queue_item_texts USING gin (text gin_trgm_ops);
  END;
EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege THEN
  RAISE NOTICE 'pg_trgm is not there: searches of queue items have no index. Create the extension, then the index queue_items_search_idx as the migration does.';
END $$;

CREATE TABLE queue_item_errors (
  id uuid PRIMARY KEY,
  ordinal bigserial NOT NULL,
  workspace_id uuid NOT NULL,
  item_id uuid NOT NULL REFERENCES queue_items ON DELETE CASCADE,
  message text NOT NULL,
  code text,
  details jsonb,
  attempt integer NOT NULL,
  -- No foreign key: the error may outlive the execution.
  execution_id uuid,
  by jsonb,
  at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX queue_item_errors_item_id_ordinal_idx ON queue_item_errors (item_id, ordinal);

-- Every move, written and deleted by triggers. No foreign key: it would read the item again for each move.
CREATE TABLE queue_item_moves (
  ordinal bigserial NOT NULL,
  workspace_id uuid NOT NULL,
  item_id uuid NOT NULL,
  "from" text NOT NULL,
  "to" text NOT NULL,
  note text,
  execution_id uuid,
  -- The name that the claim gave.
  worker text,
  by jsonb,
  id uuid,
  at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (item_id, ordinal)
);

-- Items per queue, status and priority band, as sums of rows: each write adds rows, so that writers never wait for each
-- other, and the reconciler merges them (is_sum).
CREATE TABLE queue_item_counts (
  id bigserial PRIMARY KEY,
  workspace_id uuid NOT NULL,
  queue_id uuid NOT NULL REFERENCES queues ON DELETE CASCADE,
  status text NOT NULL,
  band text NOT NULL,
  items bigint NOT NULL,
  -- Items with retries; items processed to an end, and their total time.
  retried bigint NOT NULL,
  processed bigint NOT NULL,
  processing_ms bigint NOT NULL,
  is_sum boolean NOT NULL DEFAULT false
);
CREATE INDEX queue_item_counts_queue_id_idx ON queue_item_counts (queue_id);
CREATE INDEX queue_item_counts_loose_idx ON queue_item_counts (queue_id) WHERE NOT is_sum;

-- Items that ended in each five minutes and are still ended, as sums like the counts; older ones are deleted.
CREATE TABLE queue_item_ends (
  id bigserial PRIMARY KEY,
  workspace_id uuid NOT NULL,
  queue_id uuid NOT NULL REFERENCES queues ON DELETE CASCADE,
  -- COMPLETED or FAILED.
  status text NOT NULL,
  -- The beginning of its five minutes.
  bucket timestamptz(3) NOT NULL,
  items bigint NOT NULL,
  is_sum boolean NOT NULL DEFAULT false
);
CREATE INDEX queue_item_ends_queue_id_status_bucket_idx ON queue_item_ends (queue_id, status, bucket);
CREATE INDEX queue_item_ends_loose_idx ON queue_item_ends (queue_id, status, bucket) WHERE NOT is_sum;
CREATE INDEX queue_item_ends_old_idx ON queue_item_ends (bucket) WHERE is_sum;

CREATE FUNCTION queue_item_ends_bucket(p_at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_bin('5 minutes', p_at, '2000-01-01 00:00:00+00')
$$;

-- Statistics look back one day; the extra hour allows for a clock that is set back.
CREATE FUNCTION queue_item_ends_since() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT now() - interval '25 hours'
$$;

-- A test compares this with domain/queue/itemStatus.ts.
CREATE FUNCTION queue_item_band(p_priority integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_priority < 0 THEN 'low' WHEN p_priority < 10 THEN 'normal' WHEN p_priority < 100 THEN 'high'
    ELSE 'critical' END
$$;

-- Returns 0 if a clock was set back, NULL if a time is missing.
CREATE FUNCTION milliseconds_between(p_from timestamptz, p_to timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT greatest(0, round(extract(epoch FROM p_to - p_from) * 1000))::bigint
$$;
