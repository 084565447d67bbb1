-- Knowledge.

-- Without pgvector everything except knowledge bases works. The role or the server may lack the extension.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS vector;
EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege THEN
  RAISE NOTICE 'pgvector is not there: knowledge bases cannot be made. Create the extension vector, and they can.';
END $$;

-- A table of vectors for each base: searches never read other bases, and deleting a base leaves nothing.
CREATE SCHEMA knowledge;

CREATE TABLE knowledge_bases (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  slug text,
  description text,
  embedding_provider text NOT NULL CHECK (embedding_provider IN ('openai', 'local')),
  embedding_model text NOT NULL,
  dimensions integer NOT NULL CHECK (dimensions BETWEEN 1 AND 4000),
  -- Tokens.
  chunk_size integer NOT NULL,
  chunk_overlap integer NOT NULL,
  -- Stored and ingesting documents, kept by a trigger, so that a model change and an upload are decided by one row.
  document_count integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 1,
  applied_project_id uuid,
  applied_owner text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT knowledge_bases_chunk_overlap_check CHECK (chunk_overlap >= 0 AND chunk_overlap * 2 <= chunk_size)
);
CREATE INDEX knowledge_bases_workspace_id_updated_at_id_idx ON knowledge_bases (workspace_id, updated_at DESC, id DESC);
CREATE UNIQUE INDEX knowledge_bases_workspace_id_slug_key ON knowledge_bases (workspace_id, slug);
CREATE TRIGGER knowledge_bases_give_slug BEFORE INSERT ON knowledge_bases
FOR EACH ROW EXECUTE FUNCTION give_slug('workspace_id', 'true', 'knowledge');

-- One upload, visible when READY; its text is kept until then. A FAILED document keeps only the reason.
CREATE TABLE knowledge_documents (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  knowledge_id uuid NOT NULL REFERENCES knowledge_bases ON DELETE CASCADE,
  name text,
  metadata jsonb NOT NULL,
  status text NOT NULL DEFAULT 'INGESTING' CHECK (status IN ('INGESTING', 'READY', 'FAILED')),
  text text CHECK (status <> 'INGESTING' OR text IS NOT NULL),
  -- The base's settings at the time of the upload.
  chunk_size integer NOT NULL,
  chunk_overlap integer NOT NULL,
  parts integer,
  tokens integer,
  failure_code text,
  failure text,
  -- When the reconciler last checked its ingestion.
  tended_at timestamptz(3) NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX knowledge_documents_knowledge_id_created_at_id_idx
  ON knowledge_documents (knowledge_id, created_at DESC, id DESC);
CREATE INDEX knowledge_documents_ingesting_idx ON knowledge_documents (knowledge_id) WHERE status = 'INGESTING';
CREATE INDEX knowledge_documents_tended_idx ON knowledge_documents (workspace_bucket(workspace_id), tended_at) WHERE status <> 'READY';
CREATE INDEX knowledge_documents_metadata_idx ON knowledge_documents USING gin (metadata jsonb_path_ops);

-- The parts of documents, numbered from 1.
CREATE TABLE knowledge_chunks (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  knowledge_id uuid NOT NULL,
  document_id uuid NOT NULL REFERENCES knowledge_documents ON DELETE CASCADE,
  part_number integer NOT NULL,
  text text NOT NULL,
  tokens integer NOT NULL,
  -- Its words, written with its vector, because extracting them takes longer than storing all the rest.
  search tsvector
);
CREATE UNIQUE INDEX knowledge_chunks_document_id_part_number_key ON knowledge_chunks (document_id, part_number);
-- The base comes first, so that words that are frequent in other bases cost nothing; without btree_gin they do.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS btree_gin;
  CREATE INDEX knowledge_chunks_search_idx ON knowledge_chunks USING gin (knowledge_id, search);
EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege THEN
  RAISE NOTICE 'btree_gin is not there: searches of knowledge share one index. Create the extension, then the index knowledge_chunks_search_idx as the migration does.';
  CREATE INDEX knowledge_chunks_search_idx ON knowledge_chunks USING gin (search);
END $$;

CREATE FUNCTION knowledge_vectors(p_knowledge uuid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 'vectors_' || replace(p_knowledge::text, '-', '')
$$;

-- HNSW: up to 2,000 dimensions of four bytes, 4,000 of two. No foreign keys: dropped when a workspace is deleted.
CREATE FUNCTION tend_knowledge_vectors() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  v_name text := knowledge_vectors(coalesce(NEW.id, OLD.id));
  v_type text;
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS knowledge.%I', v_name);
  IF TG_OP = 'DELETE' THEN RETURN NULL; END IF;
  v_type := CASE WHEN NEW.dimensions > 2000 THEN 'halfvec' ELSE 'vector' END;
  EXECUTE format(
    'CREATE TABLE knowledge.%I (chunk_id uuid PRIMARY KEY, document_id uuid NOT NULL, embedding %s(%s) NOT NULL)',
    v_name, v_type, NEW.dimensions);
  EXECUTE format('CREATE INDEX ON knowledge.%I (document_id)', v_name);
  -- m = 8 instead of 16 saves half of the linking. The wider search (ef_construction) keeps the recall.
  EXECUTE format('CREATE INDEX ON knowledge.%I USING hnsw (embedding %s_cosine_ops) WITH (m = 8, ef_construction = 128)',
    v_name, v_type);
  RETURN NULL;
END $$;
CREATE TRIGGER knowledge_bases_make_vectors AFTER INSERT OR DELETE ON knowledge_bases
  FOR EACH ROW EXECUTE FUNCTION tend_knowledge_vectors();
CREATE TRIGGER knowledge_bases_remake_vectors AFTER UPDATE ON knowledge_bases
  FOR EACH ROW WHEN (OLD.dimensions <> NEW.dimensions) EXECUTE FUNCTION tend_knowledge_vectors();

-- Counts the documents of the base, and deletes the vectors and parts of a deleted or failed document.
CREATE FUNCTION knowledge_document_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid := coalesce(NEW.id, OLD.id);
  v_knowledge uuid := coalesce(NEW.knowledge_id, OLD.knowledge_id);
  v_name text := knowledge_vectors(v_knowledge);
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE knowledge_bases SET document_count = document_count + 1 WHERE id = v_knowledge;
    RETURN NULL;
  END IF;
  IF OLD.status <> 'FAILED' THEN
    UPDATE knowledge_bases SET document_count = document_count - 1 WHERE id = v_knowledge;
  END IF;
  DELETE FROM knowledge_chunks WHERE document_id = v_id;
  -- If the base is deleted too, the table may be gone.
  IF to_regclass(format('knowledge.%I', v_name)) IS NOT NULL THEN
    EXECUTE format('DELETE FROM knowledge.%I WHERE document_id = $1', v_name) USING v_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER knowledge_documents_counted AFTER INSERT OR DELETE ON knowledge_documents
  FOR EACH ROW EXECUTE FUNCTION knowledge_document_changed();
CREATE TRIGGER knowledge_documents_failed AFTER UPDATE ON knowledge_documents
  FOR EACH ROW WHEN (OLD.status <> 'FAILED' AND NEW.status = 'FAILED') EXECUTE FUNCTION knowledge_document_changed();

-- False if the document is no longer ingesting. Locks it first, so that a deletion waits and finds all vectors.
CREATE FUNCTION store_knowledge_vectors(
  p_workspace uuid, p_knowledge uuid, p_document uuid, p_chunks uuid[], p_embeddings text[]
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM knowledge_documents
    WHERE id = p_document AND knowledge_id = p_knowledge AND workspace_id = p_workspace AND status = 'INGESTING' FOR SHARE;
  IF NOT FOUND THEN RETURN false; END IF;
  EXECUTE format(
    'WITH stored AS (
       INSERT INTO knowledge.%I (chunk_id, document_id, embedding)
       SELECT r.chunk, $1, r.embedding::vector FROM unnest($2, $3) AS r(chunk, embedding)
       ON CONFLICT (chunk_id) DO NOTHING RETURNING chunk_id)
     UPDATE knowledge_chunks c SET search = to_tsvector(''english'', c.text) FROM stored
     WHERE c.id = stored.chunk_id AND c.workspace_id = $4',
    knowledge_vectors(p_knowledge)) USING p_document, p_chunks, p_embeddings, p_workspace;
  RETURN true;
END $$;

-- Returns the parts from `p_from` to before `p_to` that have no vector.
CREATE FUNCTION unembedded_knowledge_chunks(
  p_workspace uuid, p_knowledge uuid, p_document uuid, p_from integer, p_to integer
) RETURNS TABLE (id uuid, text text, tokens integer) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT c.id, c.text, c.tokens FROM knowledge_chunks c
     WHERE c.workspace_id = $1 AND c.document_id = $2 AND c.part_number >= $3 AND c.part_number < $4
       AND NOT EXISTS (SELECT FROM knowledge.%I v WHERE v.chunk_id = c.id)
     ORDER BY c.part_number', knowledge_vectors(p_knowledge)) USING p_workspace, p_document, p_from, p_to;
END $$;

-- Makes the document visible if each part has a vector; returns false otherwise, or if the document is gone.
CREATE FUNCTION finish_knowledge_document(p_workspace uuid, p_knowledge uuid, p_document uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_parts integer;
  v_tokens integer;
  v_vectors integer;
BEGIN
  -- Documents are locked before vectors everywhere, as in the deletion of a base.
  PERFORM FROM knowledge_documents
    WHERE id = p_document AND knowledge_id = p_knowledge AND workspace_id = p_workspace AND status = 'INGESTING'
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT count(*), sum(tokens) INTO v_parts, v_tokens FROM knowledge_chunks
    WHERE workspace_id = p_workspace AND document_id = p_document;
  IF v_parts = 0 THEN RETURN false; END IF;
  EXECUTE format('SELECT count(*) FROM knowledge.%I WHERE document_id = $1', knowledge_vectors(p_knowledge))
    INTO v_vectors USING p_document;
  IF v_vectors <> v_parts THEN RETURN false; END IF;
  UPDATE knowledge_documents SET status = 'READY', text = NULL, parts = v_parts, tokens = v_tokens
    WHERE id = p_document AND workspace_id = p_workspace;
  RETURN true;
END $$;

-- Keeps the base's table of vectors until the transaction ends; returns false if it is gone.
CREATE FUNCTION hold_knowledge_vectors(p_knowledge uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('LOCK TABLE knowledge.%I IN ACCESS SHARE MODE', knowledge_vectors(p_knowledge));
  RETURN true;
EXCEPTION WHEN undefined_table THEN RETURN false;
END $$;

-- By cosine distance; none if the base is gone or has other dimensions. If a filter leaves few parts, they are scanned;
-- otherwise the index is read until enough match. ROWS 10: a join then reads the texts by key, with the default of
-- 1,000 all of them. No variable has the type vector, so that the function works without the extension.
CREATE FUNCTION nearest_knowledge_chunks(
  p_workspace uuid, p_knowledge uuid, p_embedding text, p_limit integer, p_filter jsonb
) RETURNS TABLE (chunk_id uuid, distance double precision) LANGUAGE plpgsql ROWS 10 AS $$
DECLARE
  v_type text;
  v_from text := format('knowledge.%I v', knowledge_vectors(p_knowledge));
  v_where text := '';
  v_documents uuid[];
  v_parts bigint;
BEGIN
  IF NOT hold_knowledge_vectors(p_knowledge) THEN RETURN; END IF;
  SELECT CASE WHEN dimensions > 2000 THEN 'halfvec' ELSE 'vector' END INTO v_type FROM knowledge_bases
    WHERE id = p_knowledge AND workspace_id = p_workspace AND dimensions = vector_dims(p_embedding::vector);
  IF NOT FOUND THEN RETURN; END IF;
  IF p_filter <> '{}' THEN
    SELECT array_agg(d.id), sum(d.parts) INTO v_documents, v_parts FROM (
      SELECT id, parts FROM knowledge_documents
      WHERE workspace_id = p_workspace AND knowledge_id = p_knowledge AND status = 'READY' AND metadata @> p_filter
      LIMIT 2001) d;
    IF v_documents IS NULL THEN RETURN; END IF;
    IF v_parts <= 2000 THEN
      RETURN QUERY EXECUTE format(
        'SELECT v.chunk_id, (v.embedding <=> $1::%s)::float8 FROM %s WHERE v.document_id = ANY($2) ORDER BY 2 LIMIT $3',
        v_type, v_from) USING p_embedding, v_documents, p_limit;
      RETURN;
    END IF;
    v_where := 'AND d.metadata @> $3';
  END IF;
  IF v_where <> ''
    OR EXISTS (SELECT FROM knowledge_documents WHERE knowledge_id = p_knowledge AND status = 'INGESTING') THEN
    v_where := format(
      'WHERE EXISTS (SELECT FROM knowledge_documents d WHERE d.id = v.document_id AND d.status = ''READY'' %s OFFSET 0)',
      v_where);
  END IF;
  PERFORM set_config('hnsw.ef_search', least(greatest(100, p_limit), 1000)::text, true),
    set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.max_scan_tuples', '2147483647', true),
    set_config('hnsw.scan_mem_multiplier', '64', true);
  RETURN QUERY EXECUTE format(
    'WITH near AS MATERIALIZED (
       SELECT v.chunk_id, (v.embedding <=> $1::%s)::float8 AS distance FROM %s %s ORDER BY v.embedding <=> $1::%1$s LIMIT $2)
     SELECT chunk_id, near.distance FROM near ORDER BY near.distance', v_type, v_from, v_where)
    USING p_embedding, p_limit, p_filter;
END $$;

-- Uploads change only the count, and are no change of the base.
CREATE TRIGGER knowledge_bases_count_revision BEFORE UPDATE ON knowledge_bases
FOR EACH ROW WHEN (NEW.document_count = OLD.document_count) EXECUTE FUNCTION count_revision();
