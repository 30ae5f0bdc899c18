#include "meteor_words.hpp"

#include <algorithm>
#include <stdexcept>

namespace adjudge {

MeteorSegments MeteorWords::read(Lines lines) {
    const std::unique_lock guard(lock_);
    MeteorSegments segments;
    segments.begins_.reserve(lines.size() + 1);
    segments.missing_.reserve(lines.size());
    for (const Line line : lines) {
        segments.missing_.push_back(is_missing(line));
        for (std::size_t at = 0; at < line.size();) {
            const std::size_t end = std::min(line.find(' ', at), line.size());
            if (end > at) {
                const std::string_view word = line.substr(at, end - at);
                auto known = ids_.find(word);
                if (known == ids_.end()) {
                    const auto id = static_cast<std::int32_t>(texts_.size());
                    known = ids_.emplace(texts_.emplace_back(word), id).first;
                }
                segments.ids_.push_back(known->second);
            }
            at = end + 1;
        }
        segments.begins_.push_back(segments.ids_.size());
    }
    return segments;
}

std::vector<std::string> MeteorWords::fresh() const {
    const std::shared_lock guard(lock_);
    return {texts_.begin() + static_cast<std::ptrdiff_t>(described_.size()), texts_.end()};
}

void MeteorWords::describe(const std::vector<std::string>& stems,
                           const std::vector<std::vector<std::int32_t>>& synsets,
                           const std::vector<bool>& function_words,
                           const std::vector<std::int32_t>& lengths) {
    const std::unique_lock guard(lock_);
    const std::size_t count = stems.size();
    if (synsets.size() != count || function_words.size() != count || lengths.size() != count ||
        count > texts_.size() - described_.size())
        throw std::invalid_argument("descriptions do not fit the words that have none");
    for (std::size_t i = 0; i < count; ++i) {
        const auto next = static_cast<std::int32_t>(stem_ids_.size());
        described_.push_back(
            {stem_ids_.try_emplace(stems[i], next).first->second, lengths[i], function_words[i]});
        const auto begin = static_cast<std::ptrdiff_t>(synsets_.size());
        synsets_.insert(synsets_.end(), synsets[i].begin(), synsets[i].end());
        std::sort(synsets_.begin() + begin, synsets_.end());
        synsets_.erase(std::unique(synsets_.begin() + begin, synsets_.end()), synsets_.end());
        synset_begins_.push_back(synsets_.size());
    }
}

}  // namespace adjudge
