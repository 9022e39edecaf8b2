#include "CSimulatedSystem.h"
#include "Symbols.h"

#if defined(__linux__) && defined(__GLIBC__)

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

// The lines of the source, from the table of the debug information (DWARF 5, section 6.2, and its
// versions 2 to 4).

// Reads a table. After its end, every read returns 0.
typedef struct {
  const uint8_t *next, *end;
} Reader;

static uint64_t number(Reader *reader, size_t size) {
  uint64_t value = 0;
  if (size > sizeof value || (size_t)(reader->end - reader->next) < size) {
    reader->next = reader->end;
    return 0;
  }
  memcpy(&value, reader->next, size);
  reader->next += size;
  return value;
}

// A number of variable length.
static uint64_t leb(Reader *reader, int is_signed) {
  uint64_t value = 0, byte = 0;
  unsigned shift = 0;
  do {
    byte = number(reader, 1);
    if (shift < 64) value |= (byte & 127) << shift;
    shift += 7;
  } while (byte & 128);
  if (is_signed && shift < 64 && (byte & 64)) value |= ~(uint64_t)0 << shift;
  return value;
}

static void skip(Reader *reader, uint64_t size) {
  uint64_t left = (uint64_t)(reader->end - reader->next);
  reader->next += size < left ? size : left;
}

static const char *string(Reader *reader) {
  const uint8_t *start = reader->next;
  const uint8_t *zero = memchr(start, 0, (size_t)(reader->end - start));
  reader->next = zero == NULL ? reader->end : zero + 1;
  return zero == NULL ? "" : (const char *)start;
}

typedef struct {
  Reader lines, line_strings, strings;
} Tables;

static const char *string_at(Reader table, uint64_t offset) {
  skip(&table, offset);
  return string(&table);
}

// The part of the table for one source file and the files that it includes.
typedef struct {
  Reader program, files;
  const Tables *tables;
  int version, offset_size;
  int default_is_statement, line_base, line_range, opcode_base, instruction_length;
  const uint8_t *argument_counts;
} Unit;

enum { PATH = 1 };

// An attribute of a file in a table of version 5; a string unless it is a number.
static const char *attribute(Reader *reader, uint64_t form, const Unit *unit) {
  size_t size = (size_t)unit->offset_size;
  switch (form) {
  case 0x08: return string(reader);                                                // string
  case 0x1f: return string_at(unit->tables->line_strings, number(reader, size));  // line_strp
  case 0x0e: return string_at(unit->tables->strings, number(reader, size));       // strp
  case 0x0b: skip(reader, 1); break;                                               // data1
  case 0x05: skip(reader, 2); break;                                               // data2
  case 0x06: skip(reader, 4); break;                                               // data4
  case 0x07: skip(reader, 8); break;                                               // data8
  case 0x1e: skip(reader, 16); break;                                              // data16
  case 0x0f: leb(reader, 0); break;                                                // udata
  case 0x09: skip(reader, leb(reader, 0)); break;                                  // block
  default: reader->next = reader->end;
  }
  return "";
}

// Reads entries of a table of version 5, and returns the path of the entry at an index.
static const char *entries(Reader *reader, uint64_t index, const Unit *unit) {
  uint64_t formats[16][2];
  uint64_t format_count = number(reader, 1);
  if (format_count > 16) reader->next = reader->end;
  for (uint64_t format = 0; format < format_count && format < 16; format++) {
    formats[format][0] = leb(reader, 0);
    formats[format][1] = leb(reader, 0);
  }
  const char *path = "";
  uint64_t count = leb(reader, 0);
  for (uint64_t entry = 0; entry < count && reader->next < reader->end; entry++) {
    for (uint64_t format = 0; format < format_count; format++) {
      const char *value = attribute(reader, formats[format][1], unit);
      if (entry == index && formats[format][0] == PATH) path = value;
    }
  }
  return path;
}

static const char *file_name(const Unit *unit, uint64_t index) {
  Reader reader = unit->files;
  const char *path = "";
  if (unit->version >= 5) {
    entries(&reader, UINT64_MAX, unit);
    path = entries(&reader, index, unit);
  } else {
    while (reader.next < reader.end && string(&reader)[0] != 0) {}
    for (uint64_t entry = 1; reader.next < reader.end; entry++) {
      const char *name = string(&reader);
      if (name[0] == 0) break;
      if (entry == index) path = name;
      for (int value = 0; value < 3; value++) leb(&reader, 0);
    }
  }
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

// Reads the header of the next unit; returns 0 at the end.
static int next_unit(Tables *tables, Unit *unit) {
  Reader *all = &tables->lines;
  if (all->next >= all->end) return 0;
  unit->tables = tables;
  unit->offset_size = 4;
  uint64_t length = number(all, 4);
  if (length == 0xffffffff) {
    unit->offset_size = 8;
    length = number(all, 8);
  }
  Reader reader = {all->next, all->end};
  skip(all, length);
  reader.end = all->next;
  unit->version = (int)number(&reader, 2);
  if (unit->version >= 5) skip(&reader, 2);
  uint64_t header_length = number(&reader, (size_t)unit->offset_size);
  unit->program = reader;
  skip(&unit->program, header_length);
  reader.end = unit->program.next;
  unit->instruction_length = (int)number(&reader, 1);
  if (unit->version >= 4) skip(&reader, 1);
  unit->default_is_statement = (int)number(&reader, 1);
  unit->line_base = (int8_t)number(&reader, 1);
  unit->line_range = (int)number(&reader, 1);
  unit->opcode_base = (int)number(&reader, 1);
  unit->argument_counts = reader.next;
  // Nothing is read from a table whose end is missing.
  if (reader.end - reader.next < unit->opcode_base) unit->opcode_base = 0;
  skip(&reader, unit->opcode_base > 0 ? (uint64_t)unit->opcode_base - 1 : 0);
  unit->files = reader;
  return 1;
}

typedef struct {
  uint64_t address, file, line;
} Row;

// The search for the last row at an address or before it.
typedef struct {
  uint64_t target;
  Row row;
  int has_row, is_found;
} LineSearch;

static void add(LineSearch *search, Row row, int is_end) {
  // The linker gives removed code the address 0.
  if (search->has_row && search->row.address != 0 && search->row.address <= search->target
      && search->target < row.address)
    search->is_found = 1;
  if (search->is_found) return;
  search->row = row;
  search->has_row = !is_end;
}

// Runs the program of a unit, which makes its rows.
static void run(const Unit *unit, LineSearch *search) {
  Reader reader = unit->program;
  const Row first = {0, 1, 1};
  Row row = first;
  search->has_row = 0;
  while (reader.next < reader.end && !search->is_found) {
    int code = (int)number(&reader, 1);
    if (code >= unit->opcode_base) {
      int step = code - unit->opcode_base;
      row.address += (uint64_t)(step / unit->line_range * unit->instruction_length);
      row.line += (uint64_t)(int64_t)(unit->line_base + step % unit->line_range);
      add(search, row, 0);
      continue;
    }
    switch (code) {
    case 0: {  // an extended operation
      uint64_t length = leb(&reader, 0);
      Reader operation = reader;
      skip(&reader, length);
      operation.end = reader.next;
      int extended = (int)number(&operation, 1);
      if (extended == 1) {  // end of a sequence
        add(search, row, 1);
        row = first;
      } else if (extended == 2) {  // set the address
        row.address = number(&operation, (size_t)(operation.end - operation.next));
      }
      break;
    }
    case 1: add(search, row, 0); break;
    case 2: row.address += leb(&reader, 0) * (uint64_t)unit->instruction_length; break;
    case 3: row.line += leb(&reader, 1); break;
    case 4: row.file = leb(&reader, 0); break;
    case 8:
      row.address += (uint64_t)((255 - unit->opcode_base) / unit->line_range)
        * (uint64_t)unit->instruction_length;
      break;
    case 9: row.address += number(&reader, 2); break;
    default:  // other operations change no row
      for (int count = unit->argument_counts[code - 1]; count > 0; count--) leb(&reader, 0);
    }
  }
}

static Reader section(const uint8_t *file, size_t size, const char *name) {
  Reader none = {file, file};
  const ElfW(Ehdr) *header = (const void *)file;
  if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return none;
  if (!causeway_fits(header->e_shoff, header->e_shnum * sizeof(ElfW(Shdr)), size)) return none;
  const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
  if (header->e_shstrndx >= header->e_shnum) return none;
  const ElfW(Shdr) *names = &sections[header->e_shstrndx];
  if (!causeway_fits(names->sh_offset, names->sh_size, size)) return none;
  Reader texts = {file + names->sh_offset, file + names->sh_offset + names->sh_size};
  for (int index = 0; index < header->e_shnum; index++) {
    const ElfW(Shdr) *section = &sections[index];
    if (strcmp(string_at(texts, section->sh_name), name) != 0) continue;
    if (section->sh_flags & SHF_COMPRESSED) break;
    if (!causeway_fits(section->sh_offset, section->sh_size, size)) break;
    return (Reader){file + section->sh_offset, file + section->sh_offset + section->sh_size};
  }
  return none;
}

typedef struct {
  char *name;
  size_t capacity;
  unsigned line;
} Place;

static void look(const uint8_t *file, size_t size, uintptr_t offset, void *data) {
  Place *place = data;
  Tables tables = {
    section(file, size, ".debug_line"), section(file, size, ".debug_line_str"),
    section(file, size, ".debug_str")};
  LineSearch search = {.target = offset};
  Unit unit;
  while (next_unit(&tables, &unit)) {
    if (unit.version < 2 || unit.version > 5 || unit.line_range == 0 || unit.opcode_base == 0) continue;
    run(&unit, &search);
    if (!search.is_found) continue;
    place->line = (unsigned)search.row.line;
    snprintf(place->name, place->capacity, "%s", file_name(&unit, search.row.file));
    return;
  }
}

unsigned causeway_line(const void *address, char *file, size_t capacity) {
  Place place = {file, capacity, 0};
  causeway_with_file(address, look, &place);
  return place.line;
}

unsigned causeway_line_in(
  const uint8_t *program, size_t size, uintptr_t offset, char *file, size_t capacity) {
  Place place = {file, capacity, 0};
  look(program, size, offset, &place);
  return place.line;
}

#else

unsigned causeway_line(const void *address, char *file, size_t capacity) { return 0; }
unsigned causeway_line_in(
  const uint8_t *program, size_t size, uintptr_t offset, char *file, size_t capacity) {
  return 0;
}

#endif
