#include "paraphrases.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace adjudge {

namespace {

std::uint64_t mixed(std::uint64_t h) {
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93u;
    return h ^ (h >> 32);
}

std::uint64_t sum(std::span<const std::byte> bytes) {
    std::uint64_t lanes[4] = {1, 2, 3, 4};  // four at once: one would wait for its own multiplication
    std::size_t i = 0;
    for (; i + 32 <= bytes.size(); i += 32) {
        std::uint64_t part[4];
        std::memcpy(part, bytes.data() + i, 32);
        for (int k = 0; k < 4; ++k) lanes[k] = std::rotl(lanes[k] ^ part[k], 27) * 0x9e3779b97f4a7c15u;
    }
    std::uint64_t h = bytes.size();
    for (; i < bytes.size(); ++i) h = mixed(h ^ std::to_integer<std::uint64_t>(bytes[i]));
    for (const std::uint64_t lane : lanes) h = mixed(h ^ lane);
    return h;
}

}  // namespace

std::uint64_t paraphrase_checksum(std::span<const std::byte> compiled) {
    const std::size_t place = offsetof(ParaphraseHeader, checksum);
    return mixed(sum(compiled.first(place))) ^ sum(compiled.subspan(place + sizeof(std::uint64_t)));
}

// Part of the compiled form: whoever changes it changes the version in the header.
std::uint64_t paraphrase_word_hash(std::string_view word) {
    std::uint64_t h = 0xcbf29ce484222325u;  // FNV-1a
    for (const char c : word) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return mixed(h);
}

ParaphraseTable::ParaphraseTable(std::span<const std::byte> compiled) {
    const auto require = [](bool holds, const char* message) {
        if (!holds) throw std::invalid_argument(message);
    };
    require(compiled.size() >= sizeof(ParaphraseHeader), "a compiled paraphrase table that ends too early");
    require(reinterpret_cast<std::uintptr_t>(compiled.data()) % alignof(ParaphraseHeader) == 0,
            "a compiled paraphrase table at an odd place");
    header_ = reinterpret_cast<const ParaphraseHeader*>(compiled.data());
    require(std::memcmp(header_->magic, ParaphraseHeader::expected, sizeof header_->magic) == 0 &&
                header_->byte_order == 1,
            "a compiled paraphrase table of another version");
    const std::uint64_t words = header_->words, slots = header_->slots, nodes = header_->nodes;
    const std::uint64_t numbers = slots + (words + 1) + nodes + 2 * (nodes + 1);
    const std::uint64_t room = compiled.size() - sizeof(ParaphraseHeader);
    require(header_->list_bytes <= room && header_->text_bytes <= room &&
                4 * numbers + header_->list_bytes + header_->text_bytes == room,
            "a compiled paraphrase table that ends too early");
    require(header_->checksum == paraphrase_checksum(compiled), "a damaged compiled paraphrase table");

    slots_ = reinterpret_cast<const std::uint32_t*>(compiled.data() + sizeof(ParaphraseHeader));
    word_begins_ = slots_ + slots;
    node_words_ = word_begins_ + words + 1;
    child_begins_ = node_words_ + nodes;
    list_begins_ = child_begins_ + nodes + 1;
    lists_ = reinterpret_cast<const unsigned char*>(list_begins_ + nodes + 1);
    text_ = reinterpret_cast<const char*>(lists_ + header_->list_bytes);
}

std::int32_t ParaphraseTable::word(std::string_view text) const {
    const std::size_t mask = header_->slots - 1;
    for (std::size_t i = paraphrase_word_hash(text);; ++i) {
        const std::uint32_t slot = slots_[i & mask];
        if (slot == 0) return unknown;
        const std::uint32_t begin = word_begins_[slot - 1], end = word_begins_[slot];
        if (std::string_view(text_ + begin, end - begin) == text) return static_cast<std::int32_t>(slot - 1);
    }
}

std::uint32_t ParaphraseTable::child(std::uint32_t node, std::int32_t word) const {
    const std::uint32_t* const begin = node_words_ + child_begins_[node];
    const std::uint32_t* const end = node_words_ + child_begins_[node + 1];
    const auto wanted = static_cast<std::uint32_t>(word);
    const std::uint32_t* const at = std::lower_bound(begin, end, wanted);
    return at != end && *at == wanted ? static_cast<std::uint32_t>(at - node_words_) : 0;
}

}  // namespace adjudge
