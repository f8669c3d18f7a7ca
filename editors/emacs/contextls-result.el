;;; contextls-result.el --- A context, and the way to its code  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The buffer that shows a context: Markdown to read and to copy.  Code has the
;; colours of its language, sections fold, and every line leads to the code
;; that it shows.

;;; Code:

(require 'cl-lib)
(require 'outline)
(require 'seq)
(require 'subr-x)

(defvar-local contextls-result--context nil
  "The answer of the server that this buffer shows.")

(defvar-local contextls-result--again nil
  "A function of no arguments that asks the same question again.")

(defconst contextls-result--places
  '("`\\([^`\n]+\\):\\([0-9]+\\)\\(?:-[0-9]+\\)?`"
    "\\([^][ \t\n`'\"()<>]+\\):\\([0-9]+\\)")
  "How a line names a place: quoted, or bare.")

(defconst contextls-result--omitted "[ \t]*… (\\([0-9]+\\) lines? omitted)"
  "A line that stands for lines that were left out.")

(defconst contextls-result--modes
  '(("bash" . sh-mode)
    ("cpp" . c++-mode)
    ("javascript" . js-mode)
    ("toml" . conf-toml-mode)
    ("typescript" . typescript-ts-mode))
  "Major modes of languages that go by another name than their mode.")

(defvar contextls-result-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'contextls-result-visit)
    (define-key map "n" #'outline-next-visible-heading)
    (define-key map "p" #'outline-previous-visible-heading)
    (define-key map "w" #'contextls-result-copy)
    (define-key map (kbd "TAB") #'outline-cycle)
    (define-key map (kbd "<backtab>") #'outline-cycle-buffer)
    map)
  "Keys in the buffer of a context.")

(define-derived-mode contextls-result-mode special-mode "Context"
  "Major mode for the context of a question.

\\{contextls-result-mode-map}"
  (setq-local outline-regexp "##+ ")
  (setq-local imenu-generic-expression '((nil "^##+ \\(.*\\)" 1)))
  (setq-local revert-buffer-function
              (lambda (&rest _) (funcall contextls-result--again)))
  (setq-local truncate-lines t)
  (setq-local font-lock-defaults
              '((("^## .*" 0 'outline-1 t)
                 ("^###+ .*" 0 'outline-2 t)
                 ("^```.*" 0 'shadow t)
                 ("^[ \t]*… (.*omitted)" 0 'shadow t))
                t))
  (outline-minor-mode))

(defun contextls-result--missing (extent)
  "What is said where files are missing in the index, with its EXTENT if known."
  (concat "the index is not complete yet"
          (when extent
            (format " (%d of %d files)"
                    (plist-get extent :indexed) (plist-get extent :found)))))

(defun contextls-result--header (context budget)
  "The header line of CONTEXT, which was asked for within BUDGET."
  (let ((report (plist-get context :report)))
    (replace-regexp-in-string
     "%" "%%"
     (string-join
      `(,(format " %d of %d tokens" (plist-get context :tokenCount) budget)
        ,(format "confidence %.2f" (or (plist-get context :confidence) 0))
        ,(plist-get (plist-get context :strategy) :name)
        ,@(unless (eq (plist-get report :indexComplete) t)
            (list (contextls-result--missing (plist-get report :indexExtent))))
        ,@(append (plist-get report :warnings) nil))
      " · "))))

(defun contextls-result-show (context budget root again)
  "Show CONTEXT, the answer of the server within BUDGET, about ROOT.
AGAIN is called to ask the same question again."
  (with-current-buffer (get-buffer-create "*contextls*")
    (contextls-result-mode)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert (plist-get context :content) "\n")
      (contextls-result--fontify))
    (setq default-directory root
          contextls-result--context context
          contextls-result--again again
          header-line-format (contextls-result--header context budget))
    (set-buffer-modified-p nil))
  (pop-to-buffer "*contextls*")
  (goto-char (point-min)))

(defun contextls-result--copy (context)
  "Copy CONTEXT to the kill ring and the clipboard."
  (let ((select-enable-clipboard t)
        (warnings (plist-get (plist-get context :report) :warnings)))
    (kill-new (plist-get context :content))
    (message "Context copied: %d tokens%s" (plist-get context :tokenCount)
             (if (seq-empty-p warnings)
                 ""
               (format " (%s)" (string-join warnings " · "))))))

(defun contextls-result-copy ()
  "Copy the whole context to the kill ring and the clipboard."
  (interactive nil contextls-result-mode)
  (contextls-result--copy contextls-result--context))


;;; Colours

(defun contextls-result--mode (language)
  "The major mode for LANGUAGE, or nil."
  (let ((mode (or (cdr (assoc language contextls-result--modes))
                  (intern (concat language "-mode")))))
    (and (fboundp mode) mode)))

(defun contextls-result--fontify-code (mode start end)
  "Give the text from START to END the colours of MODE."
  (let ((code (buffer-substring-no-properties start end))
        (target (current-buffer))
        (inhibit-message t)) ; what a mode says of a fragment is of no use
    (with-temp-buffer
      (insert code)
      (delay-mode-hooks (funcall mode))
      (font-lock-ensure)
      (let ((from (point-min)))
        (while (< from (point-max))
          (let ((to (next-single-property-change from 'face nil (point-max)))
                (face (get-text-property from 'face)))
            (when face
              (put-text-property (+ start from -1) (+ start to -1)
                                 'font-lock-face face target))
            (setq from to)))))))

(defun contextls-result--fontify ()
  "Give fenced code the colours of its language."
  (goto-char (point-min))
  (while (re-search-forward "^\\(```+\\)\\([a-z0-9+#-]+\\)\n" nil t)
    (let ((mode (contextls-result--mode (match-string 2)))
          (fence (match-string 1))
          (start (point)))
      (when (and (re-search-forward (concat "^" fence "$") nil 'move) mode)
        (with-demoted-errors "No colours: %S"
          (save-excursion
            (contextls-result--fontify-code mode start
                                            (match-beginning 0))))))))


;;; To the code

(defun contextls-result--place-in (string)
  "Return (FILE . LINE) of the first place in STRING that exists, or nil."
  (seq-some
   (lambda (regexp)
     (let ((from 0) place)
       (while (and (not place) (string-match regexp string from))
         (setq from (match-end 0))
         (let ((file (expand-file-name (match-string 1 string)))
               (line (string-to-number (match-string 2 string))))
           (when (file-regular-p file)
             (setq place (cons file line)))))
       place))
   contextls-result--places))

(defun contextls-result--line ()
  "The line of point."
  (buffer-substring-no-properties (line-beginning-position)
                                  (line-end-position)))

(defun contextls-result--lines-above (heading)
  "How many lines of code of the piece under HEADING are above point.
Lines that were left out count; of a diff, where lines come and go, none."
  (let ((end (line-beginning-position))
        (lines 0))
    (save-excursion
      (goto-char heading)
      (when (and (re-search-forward "^```+\\(.*\\)\n" end t)
                 (not (equal (match-string 1) "diff")))
        (while (< (point) end)
          (cl-incf lines (if (looking-at contextls-result--omitted)
                             (string-to-number (match-string 1))
                           1))
          (forward-line))))
    lines))

(defun contextls-result--place ()
  "Return (FILE . LINE) of what point is on, or nil.
That is what its line names, else the line of the piece around it."
  (or (contextls-result--place-in (contextls-result--line))
      (when-let* ((heading (save-excursion
                             (and (re-search-backward "^##+ " nil t)
                                  (point))))
                  (place (save-excursion
                           (goto-char heading)
                           (contextls-result--place-in
                            (contextls-result--line)))))
        (cons (car place)
              (+ (cdr place) (contextls-result--lines-above heading))))))

(defun contextls-result-visit ()
  "Open the code that point is on in another window."
  (interactive nil contextls-result-mode)
  (let ((place (or (contextls-result--place)
                   (user-error "No file of the project is named here"))))
    (contextls-result--visit-place (car place) (cdr place))))

(defun contextls-result--visit-place (file line)
  "Open FILE in another window, at LINE when that is known."
  (find-file-other-window file)
  (when line
    (widen)
    (goto-char (point-min))
    (forward-line (1- line))
    (recenter)))

(provide 'contextls-result)
;;; contextls-result.el ends here
