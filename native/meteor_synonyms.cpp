#include "meteor_synonyms.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <unordered_map>

#include "intern.hpp"
#include "word_table.hpp"

namespace adjudge {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The next line and what is left.
std::string_view next_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

template <class Each>
void for_each_pair(std::string_view text, Each each) {
    while (!text.empty()) {
        const std::string_view first = next_line(text);
        each(first, next_line(text));
    }
}

template <class Each>
void for_each_word(std::string_view line, Each each) {
    for (std::size_t at = 0; at < line.size();) {
        if (is_space(line[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < line.size() && !is_space(line[end])) ++end;
        each(line.substr(at, end - at));
        at = end;
    }
}

std::int32_t number(std::string_view digits) {
    std::int64_t value = 0;
    for (const char digit : digits) {
        if (digit < '0' || digit > '9' || value > std::numeric_limits<std::int32_t>::max() / 10)
            throw std::invalid_argument(std::string(digits) + " is no number of a synset");
        value = 10 * value + (digit - '0');
    }
    if (value > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument(std::string(digits) + " is no number of a synset");
    return static_cast<std::int32_t>(value);
}

// Numbers to 0, 1, 2, …
class Renumbering {
  public:
    std::int32_t operator()(std::int32_t old) {
        if (2 * (olds_.size() + 1) > slots_.size()) grow();
        std::int32_t& slot = slots_[place(old)];
        if (slot < 0) {
            slot = static_cast<std::int32_t>(olds_.size());
            olds_.push_back(old);
        }
        return slot;
    }
    std::vector<std::int32_t>& olds() { return olds_; }

  private:
    std::size_t place(std::int32_t old) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = static_cast<std::uint64_t>(old) * 0x9e3779b97f4a7c15u >> 32;
        while (slots_[i & mask] >= 0 && olds_[static_cast<std::size_t>(slots_[i & mask])] != old) ++i;
        return i & mask;
    }
    void grow() {
        slots_.assign(std::max<std::size_t>(1024, 4 * slots_.size()), -1);
        for (std::size_t i = 0; i < olds_.size(); ++i) slots_[place(olds_[i])] = static_cast<std::int32_t>(i);
    }

    std::vector<std::int32_t> slots_, olds_;
};

}  // namespace

SynonymTable::SynonymTable(std::string_view synsets, std::string_view exceptions,
                           std::span<const Detachment> rules) {
    for (const Detachment& rule : rules)
        if (!rule.first.empty()) rules_[static_cast<unsigned char>(rule.first.back())].push_back(rule);

    struct Range {
        std::size_t begin = 0, end = 0;
    };
    WordTable words;
    std::vector<Range> listed;
    std::vector<std::int32_t> ids;
    Renumbering renumber;
    for_each_pair(synsets, [&](std::string_view word, std::string_view numbers) {
        const auto at = static_cast<std::size_t>(words.add(word));
        listed.resize(words.size());
        listed[at].begin = ids.size();
        for_each_word(numbers, [&](std::string_view digits) { ids.push_back(renumber(number(digits))); });
        listed[at].end = ids.size();
    });
    originals_ = std::move(renumber.olds());
    size_ = words.size();

    // The synsets of irregular forms: their own and those of their base forms.
    std::unordered_map<std::string_view, std::string_view> forms_of;
    for_each_pair(exceptions, [&](std::string_view base, std::string_view forms) { forms_of[base] = forms; });
    struct Irregular {
        std::int32_t own = -1;
        std::vector<std::int32_t> synsets;
    };
    std::unordered_map<std::string_view, Irregular> irregular;
    const auto listed_for = [&](std::string_view word) -> std::span<const std::int32_t> {
        const std::int32_t found = words.find(word);
        if (found == WordTable::absent) return {};
        const Range range = listed[static_cast<std::size_t>(found)];
        return std::span(ids).subspan(range.begin, range.end - range.begin);
    };
    const auto put = [](std::span<const std::int32_t> synsets, Irregular& entry) {
        entry.synsets.insert(entry.synsets.end(), synsets.begin(), synsets.end());
    };
    for (const auto& [base, forms] : forms_of)
        for_each_word(forms, [&](std::string_view form) {
            const auto [entry, is_new] = irregular.try_emplace(form);
            if (is_new && words.find(form) != WordTable::absent) {
                put(listed_for(form), entry->second);
                entry->second.own = static_cast<std::int32_t>(entry->second.synsets.size());
            }
            put(listed_for(base), entry->second);
        });

    slots_.resize(std::bit_ceil(3 * (words.size() + irregular.size()) / 2 + 1));
    for (const auto& [form, entry] : irregular) write(form, {entry.own, 0, true, 0}, entry.synsets);
    for (std::size_t word = 0; word < words.size(); ++word) {
        const std::string_view text = words.text(static_cast<std::int32_t>(word));
        if (find(text)) continue;  // it is irregular as well
        const auto count = static_cast<std::int32_t>(listed[word].end - listed[word].begin);
        write(text, {count, 0, false, 0}, listed_for(text));
    }
}

void SynonymTable::write(std::string_view word, Record head, std::span<const std::int32_t> synsets) {
    constexpr std::size_t size = sizeof(Record) / sizeof(std::int32_t);
    const std::uint64_t hash = TokenKey(word).hash();
    const std::size_t at = records_.size(), text = at + size + synsets.size();
    slots_[place(word, hash)] = {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(at)};
    head.all = static_cast<std::int32_t>(synsets.size());
    head.length = static_cast<std::uint32_t>(word.size()) & 0x7fffffffu;
    records_.resize(text + (word.size() + 3) / 4);
    std::memcpy(records_.data() + at, &head, sizeof head);
    std::copy(synsets.begin(), synsets.end(), records_.begin() + static_cast<std::ptrdiff_t>(at + size));
    if (!word.empty()) std::memcpy(records_.data() + text, word.data(), word.size());
}

// Where a word is, or could be put.
std::size_t SynonymTable::place(std::string_view word, std::uint64_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash >> 32;; ++i) {
        const Slot& slot = slots_[i & mask];
        if (slot.record == 0) return i & mask;
        if (slot.hash != static_cast<std::uint32_t>(hash)) continue;
        const auto* found = reinterpret_cast<const Record*>(records_.data() + slot.record);
        if (std::string_view(found->text(), found->length) == word) return i & mask;
    }
}

// Null where there is no such word, neither listed nor irregular.
const SynonymTable::Record* SynonymTable::find(std::string_view word) const {
    const Slot& slot = slots_[place(word, TokenKey(word).hash())];
    return slot.record ? reinterpret_cast<const Record*>(records_.data() + slot.record) : nullptr;
}

void SynonymTable::synsets(std::span<const std::string_view> words, std::vector<std::int32_t>& result,
                           std::vector<std::size_t>& ends) const {
    // The table is too big for a cache: several words at a time wait together.
    constexpr std::size_t block = 32;
    for (; !words.empty(); words = words.subspan(std::min(block, words.size()))) {
        const std::size_t count = std::min(block, words.size());
        std::array<const Record*, block> found, base;
        for (std::size_t i = 0; i < count; ++i) found[i] = find(words[i]);
        for (std::size_t i = 0; i < count; ++i)
            base[i] = found[i] && found[i]->is_irregular ? nullptr : base_form(words[i]);
        for (std::size_t i = 0; i < count; ++i) {
            if (found[i])
                result.insert(result.end(), found[i]->synsets(), found[i]->synsets() + found[i]->all);
            if (base[i]) result.insert(result.end(), base[i]->synsets(), base[i]->synsets() + base[i]->own);
            ends.push_back(result.size());
        }
    }
}

// The listed word that the first rule makes of a word, null where none does.
const SynonymTable::Record* SynonymTable::base_form(std::string_view word) const {
    if (word.empty()) return nullptr;
    const std::vector<Detachment>& rules = rules_[static_cast<unsigned char>(word.back())];
    if (rules.empty() || word.ends_with("ss")) return nullptr;
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    const auto letters =
        word.size() - static_cast<std::size_t>(std::count_if(word.begin(), word.end(), continues));
    if (letters <= 2) return nullptr;
    std::string base;
    for (const auto& [suffix, ending] : rules) {
        if (!word.ends_with(suffix)) continue;
        base.assign(word, 0, word.size() - suffix.size()).append(ending);
        if (const Record* const found = find(base); found && found->own >= 0) return found;
    }
    return nullptr;
}

}  // namespace adjudge
